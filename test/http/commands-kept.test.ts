/**
 * Tests how long commands are kept, and commands waiting in their terminal, over REST: with a real server and a real
 * bash.
 */
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

/** Limits only a failing test. */
const LONG_MS = 100_000;

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterAll(stopServers);
const api = () => server.api;

const run = async (id: string, command: string) =>
  (await api().post(`/api/terminals/${id}/exec`, { command, timeoutMs: LONG_MS })).body.data;

describe('the commands of a terminal', () => {
  let id: string;
  beforeAll(async () => {
    id = await api().create({ cwd: '/' });
    for (const command of ['echo one; echo uno', 'cd /usr', 'false']) await run(id, command);
  });
  const commands = async (query: object = {}) =>
    (await api().get(`/api/terminals/${id}/commands`, { ...query })).body.data;

  it('are listed, oldest first, and only the newest of too many', async () => {
    const all = await commands();
    expect(all.count).toBe(3);
    expect(all.commands.map(({ text }: { text: string }) => text)).toEqual(['echo one; echo uno', 'cd /usr', 'false']);
    expect((await commands({ limit: 1 })).commands[0]).toMatchObject({ commandId: 3, exitCode: 1, origin: 'exec' });
    expect(await commands({ after: 3 })).toEqual({ commands: [], count: 0, hasMore: false });
  });

  it('are read page by page, with none left out', async () => {
    const numbersOf = async (query: object) => {
      const { commands: records, hasMore } = await commands(query);
      return [records.map(({ commandId }: { commandId: number }) => commandId), hasMore];
    };
    expect(await numbersOf({ after: 0, limit: 2 })).toEqual([[1, 2], true]);
    expect(await numbersOf({ after: 1, limit: 1 })).toEqual([[2], true]);
    expect(await numbersOf({ after: 2, limit: 2 })).toEqual([[3], false]);
    expect(await numbersOf({ limit: 2 })).toEqual([[2, 3], true]);
    expect(await numbersOf({})).toEqual([[1, 2, 3], false]);
  });

  it('are described one by one, with directory and times', async () => {
    const { data } = (await api().get(`/api/terminals/${id}/commands/2`)).body;
    expect(data).toMatchObject({ commandId: 2, text: 'cd /usr', startCwd: '/', cwd: '/usr', exitCode: 0 });
    expect(Date.parse(data.ended)).toBeGreaterThanOrEqual(Date.parse(data.started));
  });

  it('have their own output, read like that of a terminal', async () => {
    const path = `/api/terminals/${id}/commands/1/output`;
    const whole = (await api().get(path)).body.data;
    expect(whole).toMatchObject({ output: 'one\nuno', fromLine: 0, totalLines: 2, isActive: false, exitCode: 0 });
    expect((await api().get(path, { mode: 'tail', tailLines: 1 })).body.data.output).toBe('uno');
    expect((await api().get(path, { since: 1, format: 'raw' })).body.data.output).toBe('uno\r\n');
    expect((await api().get(path, { cursor: whole.cursor, timeoutMs: LONG_MS })).body.data.output).toBe('');
  });

  it('that have ended are not affected by an interruption', async () => {
    const { body } = await api().post(`/api/terminals/${id}/commands/1/interrupt`);
    const message = 'Nothing was interrupted: the command has ended, or a nested command is in the foreground';
    expect(body).toEqual({ success: true, message, data: { interrupted: false } });
    expect(await run(id, 'echo fine')).toMatchObject({ output: 'fine', exitCode: 0 });
  });

  it.each(['', '/output', '/result'])('are not found if they do not exist: commands/99%s', async (what) => {
    const { status, body } = await api().get(`/api/terminals/${id}/commands/99${what}`);
    expect([status, body.error.code]).toEqual([404, 'COMMAND_NOT_FOUND']);
  });

  it.each(['0', '-1', 'x', '1e3', '1.5', '99999999999999999999'])('have numbers, and %s is not one', async (number) => {
    const { status, body } = await api().get(`/api/terminals/${id}/commands/${number}`);
    expect([status, body.error.details.issues[0].field]).toEqual([400, 'path.commandId']);
    const { status: other } = await api().post(`/api/terminals/${id}/commands/${number}/interrupt`);
    expect(other).toBe(400);
  });

  it('report what is wrong with a query', async () => {
    const { body } = await api().get(`/api/terminals/${id}/commands/1/result`, { timeoutMs: '1e3' });
    expect(body.error.details.issues[0].field).toBe('query.timeoutMs');
    const limit = await api().get(`/api/terminals/${id}/commands`, { limit: 0 });
    expect(limit.body.error.details.issues[0].field).toBe('query.limit');
  });

  it('include a command that a person typed', async () => {
    await api().type(id, 'echo typed by hand');
    const { data } = (await api().post(`/api/terminals/${id}/wait`, { regex: '^typed by hand$', fromOffset: 0 })).body;
    expect(data.reason).toBe('regex');
    const { body } = await api().post(`/api/terminals/${id}/wait`, { commandId: 5, timeoutMs: LONG_MS });
    expect(body.data.reason).toBe('command');
    const { commands: all } = await commands();
    expect(all.at(-1)).toMatchObject({ text: 'echo typed by hand', origin: 'typed', exitCode: 0 });
  });
});

describe('POST …/wait', () => {
  const waitFor = async (id: string, body: object) =>
    (await api().post(`/api/terminals/${id}/wait`, { timeoutMs: LONG_MS, ...body })).body.data;

  it('reports which condition was met, and where to continue', async () => {
    const id = await api().run('echo port 8080; read -r line; echo "got $line"; exit 3');
    const found = await waitFor(id, { regex: 'port (\\d+)', fromOffset: 0 });
    expect(found).toMatchObject({ reason: 'regex', match: { text: 'port 8080', groups: ['8080'] }, isActive: true });
    const waiting = waitFor(id, { text: 'got it', fromOffset: found.offset });
    await api().type(id, 'it');
    expect((await waiting).reason).toBe('text');
    expect(await waitFor(id, {})).toMatchObject({ reason: 'exit', exitCode: 3, isActive: false });
  });

  it('answers at the timeout', async () => {
    const id = await api().run('cat');
    expect(await waitFor(id, { text: 'never', timeoutMs: 0 })).toMatchObject({ reason: 'timeout', match: null });
  });

  it.each([
    [{ regex: '(' }, 'regex'],
    [{ port: 0 }, 'body.port'],
    [{ until: 'exit' }, 'body.until'],
    [{ fromOffset: 1_000_000 }, 'fromOffset'],
  ])('describes the problem with %j', async (body, field) => {
    const id = await api().run('cat');
    const answer = await api().post(`/api/terminals/${id}/wait`, body);
    expect([answer.status, answer.body.error.details.issues[0].field]).toEqual([400, field]);
  });
});
