/** Tests GET /api/overview: many terminals in one answer, what it says about each, filters, order and pages. */
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterEach(stopServers);

async function overview(query: Readonly<Record<string, unknown>> = {}) {
  const { status, body } = await server.api.get('/api/overview', query);
  expect(status).toBe(200);
  return body.data;
}

const idsOf = ({ terminals }: { terminals: { terminalId: string }[] }) => terminals.map(({ terminalId }) => terminalId);

it('shows many terminals in one answer, oldest first', async () => {
  const created = [];
  for (let count = 0; count < 40; count++) created.push(await server.api.run('exec sleep 1000'));
  const before = new Date().toISOString();
  const data = await overview();
  expect(idsOf(data)).toEqual(created);
  expect(data.hasMore).toBe(false);
  expect(data.asOf >= before).toBe(true);
});

it('shows what a page needs about a terminal', async () => {
  const id = await server.api.create({ name: 'work', labels: { of: 'test' }, env: { PS1: '$ ' }, cols: 100, rows: 30 });
  await server.manager.exec(id, { command: `printf '\\033[31mred\\033[0m\\n'; (exit 3)` });
  await server.manager.control(id, { action: 'take', name: 'Ada' });
  const { terminals } = await overview({ ids: [id] });
  expect(terminals).toMatchObject([
    {
      terminalId: id,
      name: 'work',
      labels: { of: 'test' },
      status: 'active',
      cols: 100,
      rows: 30,
      lastCommand: { commandId: 1, state: 'completed', exitCode: 3, ended: expect.any(String) },
      holder: { name: 'Ada' },
      waiting: null,
      endedBy: null,
    },
  ]);
  const [{ lines }] = terminals;
  expect(lines.join('\n')).toMatch(/\x1b\[31mred/);
  expect(lines.length).toBeLessThanOrEqual(9);
});

it('shows what a terminal waits for, and the ports on which it listens', async () => {
  const script = `require('net').createServer().listen(0, '127.0.0.1', function () { console.log('at ' + this.address().port) })`;
  const [asking, serving] = [
    await server.api.run('read -p "Your name? " name'),
    await server.api.create({ command: process.execPath, args: ['-e', script] }),
  ];
  const port = Number(/at (\d+)/.exec(await server.api.readUntil(serving, 'at '))![1]);
  const { terminals } = await eventually(async () => {
    const data = await overview();
    return data.terminals[0].waiting !== null && data.terminals[1].ports.length > 0 && data;
  });
  expect(terminals).toMatchObject([
    { terminalId: asking, waiting: { kind: 'line', prompt: 'Your name?', id: expect.any(String) }, ports: [] },
    { terminalId: serving, ports: [port] },
  ]);
});

it('filters, and sorts by name or activity', async () => {
  const { api } = server;
  const [b, a, none] = [
    await api.create({ name: 'b', labels: { of: 'one' }, command: 'cat' }),
    await api.create({ name: 'a', labels: { of: 'one', at: '2' }, command: 'cat' }),
    await api.run('true'),
  ];
  await api.ended(none);
  expect(idsOf(await overview({ label: 'of=one' }))).toEqual([b, a]);
  expect(idsOf(await overview({ label: ['of=one', 'at=2'] }))).toEqual([a]);
  expect(idsOf(await overview({ status: 'exited' }))).toEqual([none]);
  expect(idsOf(await overview({ ids: [none, a] }))).toEqual([a, none]);
  expect(idsOf(await overview({ sort: 'name' }))).toEqual([a, b, none]);
  await api.type(b, 'last');
  await api.readUntil(b, 'last');
  expect(idsOf(await overview({ sort: 'activity' }))[0]).toBe(b);
});

it('is paged by the last terminal of the previous page', async () => {
  const created = [];
  for (let count = 0; count < 5; count++) created.push(await server.api.run('true'));
  const first = await overview({ limit: 3 });
  expect([idsOf(first), first.hasMore]).toEqual([created.slice(0, 3), true]);
  const second = await overview({ limit: 3, after: created[2] });
  expect([idsOf(second), second.hasMore]).toEqual([created.slice(3), false]);
  const { status, body } = await server.api.get('/api/overview', { after: 'nobody' });
  expect([status, body.error.code]).toEqual([404, 'TERMINAL_NOT_FOUND']);
});

it.each(['limit=0', 'limit=1001', 'sort=size', 'label=x', 'status=none', 'name=x'])('refuses %s', async (query) => {
  const { status, body } = await server.api.get(`/api/overview?${query}`);
  expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
});
