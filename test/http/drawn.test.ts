/** Tests live connections that hold a terminal and report what they have drawn: the program waits for them. */
import { eventually } from '../eventually.js';
import { LiveClient } from './live-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const UNDRAWN = 256 << 10;
/** What may be on its way before the pause takes effect. */
const BUFFERS = 256 << 10;
const LINES = 100_000;
const SILENCE_MS = 1000;

let server: ServerUnderTest;
beforeEach(async () => {
  server = await startServer({ engine: { maxHolderSilenceMs: SILENCE_MS } });
});
afterEach(stopServers);

const printed = async (id: string): Promise<number> => (await server.manager.get(id)).totalBytes;

/** A program that prints about 700 KB when Enter is typed. */
async function flooding(): Promise<string> {
  const id = await server.api.run(`stty -echo; echo ready; read line; seq 1 ${LINES}; echo all`);
  await server.api.readUntil(id, 'ready');
  return id;
}

async function holding(id: string): Promise<LiveClient> {
  const client = await LiveClient.open(server.url, id);
  client.send({ type: 'control', action: 'take' });
  await client.get('control');
  return client;
}

/** Reports what it has drawn so far, and lets the program print until it waits. */
async function waitedFor(): Promise<{ readonly id: string; readonly client: LiveClient }> {
  const id = await flooding();
  const client = await holding(id);
  client.send({ type: 'drawn', offset: (await client.get('hello')).offset });
  client.send({ type: 'input', seq: 1, keys: ['enter'] });
  await eventually(async () => (await printed(id)) > UNDRAWN);
  return { id, client };
}

/** Lets time pass without a word from the client. */
const pass = (id: string, ms: number) => server.manager.wait(id, { text: 'never printed', timeoutMs: ms });

it('a holder that draws slowly slows its program down, and misses nothing', async () => {
  const { id, client } = await waitedFor();
  for (let drawn = 0; client.all('ended').length === 0;) {
    expect(await printed(id)).toBeLessThan(drawn + UNDRAWN + BUFFERS);
    await eventually(() => client.offset! > drawn || client.all('ended').length > 0);
    drawn = Math.min(client.offset!, drawn + 100_000);
    client.send({ type: 'drawn', offset: drawn });
  }
  expect([client.all('gap'), client.all('error')]).toEqual([[], []]);
  const lines = Array.from({ length: LINES }, (_, line) => `${line + 1}\r\n`).join('');
  expect(client.output.endsWith(`${lines}all\r\n`)).toBe(true);
});

it('a holder that says nothing is waited for only for a time', async () => {
  const began = performance.now();
  const { id, client } = await waitedFor();
  await server.api.ended(id);
  expect(performance.now() - began).toBeGreaterThan(SILENCE_MS / 2);
  await client.get('ended');
});

it('a holder that draws nothing, but is there, is waited for', async () => {
  const { id, client } = await waitedFor();
  const before = await printed(id);
  for (let ping = 0; ping < 4; ping++) {
    await pass(id, SILENCE_MS / 2);
    client.send({ type: 'ping' });
    await client.get('pong', ping);
  }
  expect(await printed(id)).toBeLessThan(before + BUFFERS);
  expect((await server.manager.get(id)).status).toBe('active');
  client.send({ type: 'drawn', offset: await printed(id) });
  await eventually(async () => (await printed(id)) > before + BUFFERS);
});

it.each([
  ['hands the terminal back', (client) => client.send({ type: 'control', action: 'release' })],
  ['is cut off', (client) => client.socket.terminate()],
  [
    'loses the terminal to another caller',
    (_client, id) => void server.manager.control(id, { action: 'take', name: 'Grace' }),
  ],
] as [string, (client: LiveClient, id: string) => void][])(
  'a program goes on at once when its holder %s',
  async (_how, end) => {
    await server.stop();
    server = await startServer({ engine: { maxHolderSilenceMs: 60_000 } });
    const { id, client } = await waitedFor();
    expect(await printed(id)).toBeLessThan(UNDRAWN + BUFFERS);
    end(client, id);
    expect(await server.api.ended(id)).toMatchObject({ exitCode: 0 });
  },
);

it('a program waits neither for a viewer, nor for a holder that reports nothing', async () => {
  await server.stop();
  server = await startServer({ engine: { maxHolderSilenceMs: 60_000 } });
  const id = await flooding();
  const [viewer, other, holder] = [
    await LiveClient.open(server.url, id, { query: 'role=viewer' }),
    await LiveClient.open(server.url, id),
    await holding(id),
  ];
  for (const client of [viewer, other]) {
    client.send({ type: 'drawn', offset: 0 });
    client.send({ type: 'ping' });
    await client.get('pong');
  }
  holder.send({ type: 'input', seq: 1, keys: ['enter'] });
  expect(await server.api.ended(id)).toMatchObject({ exitCode: 0 });
  expect([viewer, other].flatMap((client) => client.all('error'))).toEqual([]);
});
