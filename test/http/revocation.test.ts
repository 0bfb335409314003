/** Tests revoking a key while requests made with it are open: they end, and nothing else does. */
import { createKey, revokeKey } from '../../src/access/key-file.js';
import { McpMount } from '../../src/mcp/mount.js';
import { eventually } from '../eventually.js';
import { LiveClient } from './live-client.js';
import { startServer, type ServerUnderTest } from './server-under-test.js';

/** Longer than a test may take. */
const LONG_MS = 100_000;
const SLOW = 'echo begun; sleep 1000';

let server: ServerUnderTest;
let terminal: string;
beforeEach(async () => {
  server = await startServer({
    engine: { defaultShell: '/bin/bash' },
    mounts: (manager) => [new McpMount(manager, { onFault: () => {}, onRefusal: () => {} })],
  });
  terminal = await server.api.run('echo begun; exec cat');
  await server.api.readUntil(terminal, 'begun');
});
afterEach(() => server.stop());

/** What follows the head of the answer: all of it, or `cut off`. */
interface Opened {
  readonly status: number;
  readonly end: Promise<string>;
}

async function open(method: string, path: string, key: string, body?: object, more: object = {}): Promise<Opened> {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      'X-API-Key': key,
      Accept: 'application/json, text/event-stream;q=0.9',
      ...(body && { 'Content-Type': 'application/json' }),
      ...more,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, end: endOf(answer) };
}

const endOf = (answer: Response) => answer.text().catch(() => 'cut off');
const EVENTS = { Accept: 'text/event-stream' };
const BOTH = { Accept: 'application/json, text/event-stream' };

const STREAMS: readonly (readonly [string, (key: string) => Promise<Opened>])[] = [
  ['events of all terminals', (key) => open('GET', '/api/events', key, undefined, EVENTS)],
  ['events of exec', (key) => open('POST', '/api/exec', key, { command: SLOW, timeoutMs: LONG_MS }, EVENTS)],
  [
    'events of run',
    (key) => open('POST', '/api/run', key, { command: 'sh', args: ['-c', SLOW], timeoutMs: LONG_MS }, EVENTS),
  ],
  [
    'events of a command that runs',
    async (key) => {
      const { body } = await server.api.post('/api/exec', { command: SLOW, detach: true });
      const { terminalId, commandId } = body.data as { terminalId: string; commandId: number };
      const path = `/api/terminals/${terminalId}/commands/${commandId}/result?timeoutMs=${LONG_MS}`;
      return open('GET', path, key, undefined, EVENTS);
    },
  ],
  [
    'a call of MCP',
    (key) =>
      mcp(key, 'tools/call', {
        name: 'terminal',
        arguments: { command: SLOW, await_completion_ms: 60_000 },
        _meta: PROGRESS,
      }),
  ],
];

const PROGRESS = { progressToken: 1 };

function mcp(key: string, method: string, params: object, headers: object = {}): Promise<Opened> {
  return open('POST', '/mcp', key, { jsonrpc: '2.0', id: 1, method, params }, { ...BOTH, ...headers });
}

it.each(STREAMS)('ends %s, and those of no other key', async (_what, begin) => {
  const [revoked, kept] = [createKey(server.dataDir, 'one'), createKey(server.dataDir, 'two')];
  const [mine, other] = await Promise.all([begin(revoked.key), begin(kept.key)]);
  revokeKey(server.dataDir, revoked.stored.id);
  expect([mine.status < 300, await mine.end]).toEqual([true, 'cut off']);
  const still = await open('GET', '/healthz', kept.key);
  expect([still.status, await Promise.race([other.end, still.end])]).toEqual([200, expect.stringContaining('success')]);
  expect((await open('GET', '/healthz', revoked.key)).status).toBe(401);
});

it('ends reads and waits that have not been answered', async () => {
  const { key, stored } = createKey(server.dataDir, 'one');
  const read = open('GET', `/api/terminals/${terminal}/output?timeoutMs=${LONG_MS}&since=1`, key);
  const wait = open('POST', `/api/terminals/${terminal}/wait`, key, { text: 'never', timeoutMs: LONG_MS });
  const ends = Promise.all([read, wait].map((one) => one.catch(() => 'cut off')));
  await eventually(async () => (await server.manager.summary()).waitingReads === 2);
  revokeKey(server.dataDir, stored.id);
  expect(await ends).toEqual(['cut off', 'cut off']);
  expect((await server.manager.get(terminal)).status).toBe('active');
});

it('ends the subscriptions of an MCP session, with and without a stream', async () => {
  const { key, stored } = createKey(server.dataDir, 'one');
  const session = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { ...BOTH, 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: HELLO }),
  });
  await session.text();
  const of = { 'Mcp-Session-Id': session.headers.get('mcp-session-id')! };
  await (
    await mcp(key, 'tools/call', { name: 'terminal', arguments: { command: 'true' } }, of)
  ).end;
  await (
    await mcp(key, 'resources/subscribe', { uri: 'terminal://0' }, of)
  ).end;
  const stream = await open('GET', '/mcp', key, undefined, { ...EVENTS, ...of });
  const watched = (await server.manager.list()).find(({ id }) => id !== terminal)!;
  const become = (count: number) => eventually(async () => (await server.manager.get(watched.id)).viewers === count);
  await become(1);
  revokeKey(server.dataDir, stored.id);
  expect([stream.status, await stream.end]).toEqual([200, 'cut off']);
  await become(0);
});

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } };

it('types nothing that still waits for its turn', async () => {
  const { key, stored } = createKey(server.dataDir, 'one');
  const client = await LiveClient.open(server.url, terminal, { headers: { 'X-API-Key': key } });
  for (let count = 0; count < 60; count++) client.send({ type: 'resize', cols: 999 + (count % 2), rows: 1000 });
  client.send({ type: 'input', seq: 1, text: 'too late\r' });
  revokeKey(server.dataDir, stored.id);
  await client.closing();
  // Resizes of another client wait for those that are still queued.
  const other = await LiveClient.open(server.url, terminal);
  for (const cols of [100, 101]) other.send({ type: 'resize', cols, rows: 30 });
  await eventually(async () => (await server.manager.get(terminal)).cols === 101);
  other.send({ type: 'input', seq: 1, text: 'in time\r' });
  await other.prints('in time');
  expect((await server.manager.read(terminal)).output).not.toContain('too late');
});
