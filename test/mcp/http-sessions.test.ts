/**
 * Tests sessions over HTTP in the older revisions, as raw requests: who may use them, how they end, and what works
 * without one.
 */
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { McpOverHttp } from '../../src/mcp/http.js';
import { createMcpServer } from '../../src/mcp/server.js';
import { Workspaces } from '../../src/mcp/workspaces.js';
import { startServer } from '../http/server-under-test.js';
import type { ServerUnderTest } from '../http/server-under-test.js';
import { eventually } from '../eventually.js';

const KEY = 'tty_for-this-test-only-0123456789abcdef0123';
const MAX_SESSIONS = 100;
const MAX_LISTENING = 100;
const MAX_WATCHED = 100;
const SHORT_MS = 300;

let server: ServerUnderTest;
const leaving: AbortController[] = [];
afterEach(async () => {
  for (const one of leaving.splice(0)) one.abort();
  await server.stop();
});

async function serve(idleMs?: number): Promise<void> {
  server = await startServer({
    engine: { defaultShell: '/bin/bash' },
    gate: { apiKeyHashes: [createHash('sha256').update(KEY).digest('hex')] },
    mounts: (manager) => {
      const faults = { onFault: () => {}, onRefusal: () => {} };
      const sessions = idleMs === undefined ? {} : { idleMs };
      const presence = { connection: { timeoutMs: SHORT_MS }, everyMs: SHORT_MS / 10 };
      const served = new McpOverHttp(new Workspaces(manager, { presence }), faults, createMcpServer, sessions);
      const methods = ['POST', 'GET', 'DELETE'];
      return [{ path: '/mcp', methods, handle: (...args) => served.handle(...args), close: () => served.close() }];
    },
  });
}

interface Asked {
  readonly session?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(method: string, body: unknown, { session, headers }: Asked = {}): Promise<Response> {
  const leave = new AbortController();
  leaving.push(leave);
  return fetch(`${server.url}/mcp`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      Accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(session !== undefined && { 'Mcp-Session-Id': session }),
      ...headers,
    },
    signal: leave.signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

function post(method: string, params: unknown, asked?: Asked): Promise<Response> {
  return ask('POST', { jsonrpc: '2.0', id: 1, method, params }, asked);
}

/** Starts a session; returns its id, if it got one. */
async function begin(asked?: Asked): Promise<string | undefined> {
  const clientInfo = { name: 'agent', version: '1' };
  const answer = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, asked);
  expect(answer.status).toBe(200);
  await answer.text();
  return answer.headers.get('mcp-session-id') ?? undefined;
}

async function exec(command: string, asked?: Asked): Promise<string> {
  const answer = await post('tools/call', { name: 'terminal', arguments: { command } }, asked);
  const text = await answer.text();
  const [, data] = /^data: (.*)$/m.exec(text) ?? [];
  const { result } = JSON.parse(data ?? text) as { result: { content: { text: string }[] } };
  return result.content[1]!.text;
}

async function listen(session: string | undefined, asked?: Asked): Promise<Response> {
  return ask('GET', undefined, { ...asked, session });
}

it('deliver notifications on the stream of their own session only', async () => {
  await serve();
  const [one, other] = [await begin(), await begin()];
  const [stream, otherStream] = [await listen(one), await listen(other)];
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  await (await post('resources/subscribe', { uri: 'terminal://0' }, { session: one })).text();
  await (await post('resources/subscribe', { uri: 'terminal://1' }, { session: other })).text();
  const told = stream.body!.getReader().read();
  await exec('echo changed', { session: one });
  expect(new TextDecoder().decode((await told).value)).toContain('"uri":"terminal://0"');
  const otherTold = otherStream.body!.getReader().read();
  await (await post('tools/call', { name: 'terminal', arguments: { command: 'true', terminal: 1 } })).text();
  expect(new TextDecoder().decode((await otherTold).value)).toContain('"uri":"terminal://1"');
});

it('accept no other caller, but answer its calls as its own', async () => {
  await serve();
  const session = await begin();
  await exec('WHOSE=mine', { session });
  const stranger = { session, headers: { 'X-API-Key': KEY } };
  expect((await listen(session, stranger)).status).toBe(404);
  expect((await ask('DELETE', undefined, stranger)).status).toBe(404);
  expect(await exec('echo "${WHOSE-nothing}"', stranger)).toBe('nothing');
  const elsewhere = { session, headers: { 'Tenacitty-Workspace': 'other' } };
  expect((await listen(session, elsewhere)).status).toBe(404);
  expect(await exec('echo "$WHOSE"', { session })).toBe('mine');
});

it('are refused after their client has ended them', async () => {
  await serve();
  const session = await begin();
  expect((await ask('DELETE', undefined, { session })).status).toBe(200);
  expect((await post('tools/list', {}, { session })).status).toBe(404);
  expect((await listen(session)).status).toBe(404);
});

it('end idle shells of a client that has gone, and none of a client whose presence is unknown', async () => {
  await serve();
  await exec('true');
  const session = await begin();
  await listen(session);
  const inSession = (terminal: number) =>
    post('tools/call', { name: 'terminal', arguments: { terminal, command: 'true' } }, { session });
  await (await inSession(1)).text();
  expect((await ask('DELETE', undefined, { session })).status).toBe(200);
  const all = await Promise.all((await server.manager.list()).map(({ id }) => server.manager.get(id)));
  const idOf = (number: string) => all.find(({ labels }) => labels['mcp.number'] === number)!.id;
  await eventually(async () => (await server.manager.get(idOf('1'))).endedBy !== null);
  expect((await server.manager.get(idOf('1'))).endedBy).toMatchObject({ reason: 'connection_closed' });
  expect((await server.manager.get(idOf('0'))).status).toBe('active');
});

it('unknown after a restart have their calls answered, but no stream opened', async () => {
  await serve();
  expect(await exec('echo still here', { session: 'from-before' })).toBe('still here');
  expect((await listen('from-before')).status).toBe(404);
});

it('are dropped when they are unused', async () => {
  await serve(SHORT_MS);
  let session = await begin();
  let stream = await listen(session);
  // On a busy machine, it may have been idle for too long already.
  while (!stream.ok) stream = await listen((session = await begin()));
  await exec('true');
  await (await post('resources/subscribe', { uri: 'terminal://0' }, { session })).text();
  const [terminal] = await server.manager.list();
  const become = (count: number) => eventually(async () => (await server.manager.get(terminal!.id)).viewers === count);
  await become(1);
  await stream.body!.cancel();
  await become(0);
  expect((await listen(session)).status).toBe(404);
});

it('make room for a new one by ending the one idle for longest, and never one in use', async () => {
  await serve();
  const first = await begin();
  const stream = await listen(first);
  const rested = await begin();
  for (let at = 2; at < MAX_SESSIONS; at++) expect(await begin()).toBeDefined();
  expect(await begin()).toBeDefined();
  expect((await listen(rested)).status).toBe(404);
  await (await post('resources/subscribe', { uri: 'terminal://0' }, { session: first })).text();
  const told = stream.body!.getReader().read();
  await exec('true', { session: first });
  expect((await told).done).toBe(false);
});

it('make no room by ending a session of another caller', async () => {
  await serve();
  const rested = await begin();
  const headers = { Authorization: `Bearer ${KEY}` };
  for (let at = 0; at <= MAX_SESSIONS; at++) expect(await begin({ headers })).toBeDefined();
  expect((await listen(rested)).status).toBe(200);
});

it('keep nothing of a subscription that is refused or of no terminal, and no large greeting', async () => {
  await serve();
  const session = await begin();
  let id = 1;
  const subscribe = async (uri: string, verb = 'subscribe') =>
    (await ask('POST', { jsonrpc: '2.0', id: ++id, method: `resources/${verb}`, params: { uri } }, { session })).text();
  await Promise.all(Array.from({ length: MAX_WATCHED }, (_, number) => subscribe(`terminal://${number}`)));
  expect(await subscribe('terminal://100')).toContain('Too many terminals are being watched');
  expect(await subscribe(`x${'y'.repeat(40_000)}`)).toContain('"result":{}');
  await subscribe('terminal://7', 'unsubscribe');
  expect(await subscribe('terminal://100')).toContain('"result":{}');
  const clientInfo = { name: 'agent', version: 'x'.repeat(64 << 10) };
  const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const answer = await post('initialize', greeting);
  expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('PAYLOAD_TOO_LARGE')]);
});

it('are started only by an initialize request', async () => {
  await serve();
  const answer = await post('initialize', { protocolVersion: 7 });
  expect(answer.headers.get('mcp-session-id')).toBeNull();
  const refused = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
    }),
  });
  expect([refused.status, refused.headers.get('mcp-session-id')]).toEqual([406, null]);
});

it('notice that a client that listens without a session has left, although its request is garbage by then', async () => {
  await serve();
  await exec('true');
  const [terminal] = await server.manager.list();
  const become = (count: number) => eventually(async () => (await server.manager.get(terminal!.id)).viewers === count);
  const version = '2026-07-28';
  const client = { clientInfo: { name: 'agent', version: '1' }, clientCapabilities: {}, protocolVersion: version };
  const _meta = Object.fromEntries(
    Object.entries(client).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
  );
  const notifications = { resourceSubscriptions: ['terminal://0'] };
  const headers = { 'Mcp-Method': 'subscriptions/listen', 'MCP-Protocol-Version': version };
  const answer = await post('subscriptions/listen', { notifications, _meta }, { headers });
  expect(answer.status).toBe(200);
  await become(1);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  leaving.at(-1)!.abort();
  await become(0);
});

describe('clients that listen without a session', () => {
  let served: McpOverHttp;
  beforeEach(async () => {
    await serve();
    served = new McpOverHttp(new Workspaces(server.manager), { onFault: () => {}, onRefusal: () => {} });
  });
  afterEach(() => served.close());

  /** @param as - Who has signed in, if the caller is a sign-in. */
  function hear({ id, as }: { id: string; as?: string }, resourceSubscriptions: string[] = []): Promise<Response> {
    const headers = { 'Content-Type': 'application/json', 'Mcp-Method': 'subscriptions/listen' };
    const message = { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions } } };
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
    const signIn = as === undefined ? {} : { signIn: { id, as } };
    const principal = { id, kind: 'key', name: id, role: 'owner', ...signIn } as const;
    const leave = new AbortController();
    leaving.push(leave);
    const { signal } = leave;
    return served.handle(request, { principal, signal, over: signal, countCalls: () => Promise.resolve() });
  }

  it('are limited for each account, however often it has signed in', async () => {
    for (let at = 0; at < MAX_LISTENING; at++) await hear({ id: `sign-in-${at % 3}`, as: 'one' });
    await expect(hear({ id: 'one' })).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect(await hear({ id: 'other' })).toBeInstanceOf(Response);
  });

  it('share one list of the terminals that they watch, of which an account may watch a hundred', async () => {
    const list = jest.spyOn(server.manager, 'list');
    const tens = Array.from({ length: 10 }, (_, ten) => ten);
    const uris = (ten: number) => tens.map((one) => `terminal://${10 * ten + one}`);
    await Promise.all(tens.map((ten) => hear({ id: 'one' }, uris(ten))));
    expect(list.mock.calls.length).toBeLessThan(MAX_WATCHED / 4);
    const more = hear({ id: 'sign-in', as: 'one' }, ['terminal://100']);
    await expect(more).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect(await hear({ id: 'other' }, uris(0))).toBeInstanceOf(Response);
    for (const one of leaving.splice(0)) one.abort();
    expect(await hear({ id: 'one' }, uris(0))).toBeInstanceOf(Response);
  });
});
