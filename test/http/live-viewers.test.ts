/** Tests what live connections are told about the other viewers and about questions, over real WebSockets. */
import { eventually } from '../eventually.js';
import { LiveClient } from './live-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServers);

const open = (id: string, query = '') => LiveClient.open(server.url, id, { query });
/** The viewers in the newest message, as name and role. */
const namesIn = (client: LiveClient) =>
  client
    .all('presence')
    .at(-1)
    ?.viewers.map(({ name, role }) => `${name} ${role}`);

describe('viewers', () => {
  it('are told who is there at the start, and when somebody comes or goes', async () => {
    const id = await server.api.run('cat');
    const one = await open(id, 'name=Ada');
    expect(await one.get('presence')).toEqual({
      type: 'presence',
      viewers: [{ name: 'Ada', role: 'controller', since: expect.any(String) }],
      count: 1,
    });
    const other = await open(id, 'name=Grace&role=viewer');
    const both = ['Ada controller', 'Grace viewer'];
    await other.get('presence');
    expect(namesIn(other)).toEqual(both);
    await eventually(() => namesIn(one)?.length === 2);
    expect(namesIn(one)).toEqual(both);
    one.socket.close();
    await eventually(() => namesIn(other)?.length === 1);
    expect(namesIn(other)).toEqual(['Grace viewer']);
  });

  it('are all counted, but not all listed, and not reported each', async () => {
    const id = await server.api.run('cat');
    const first = await open(id, 'name=first');
    const clients = await Promise.all(Array.from({ length: 60 }, (_, n) => open(id, `name=${n}`)));
    await eventually(() => first.all('presence').at(-1)?.count === 61);
    const { viewers } = first.all('presence').at(-1)!;
    expect([viewers.length, viewers[0]!.name]).toEqual([50, 'first']);
    for (const { socket } of clients) socket.close();
    await eventually(() => first.all('presence').at(-1)?.count === 1);
    expect(first.all('presence').length).toBeLessThan(30);
  });
});

describe('a question', () => {
  it('is told at the start, and when it changes, in order with the output', async () => {
    const id = await server.api.create({ command: 'bash', args: ['-c', 'read -p "Name? " x; echo "got $x"; read y'] });
    const early = await open(id);
    await eventually(() => early.all('waiting').some(({ waiting }) => waiting !== null));
    const { waiting } = early.all('waiting').at(-1)!;
    expect(waiting).toMatchObject({ kind: 'line', prompt: 'Name?', by: 'bash', certain: true });
    const late = await open(id);
    expect(await late.get('waiting')).toEqual({ type: 'waiting', waiting });
    await server.manager.answer(id, { waiting: waiting!.id, text: 'Ada' });
    expect(await late.get('waiting', 1)).toEqual({ type: 'waiting', waiting: null });
    await late.prints('got Ada');
    expect(await late.get('waiting', 2)).toMatchObject({ waiting: { kind: 'line' } });
  });
});
