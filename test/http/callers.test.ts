/** Tests which callers the interfaces of a server record: REST, live connections and MCP. */
import { userInfo } from 'node:os';
import { createKey } from '../../src/access/key-file.js';
import { McpMount } from '../../src/mcp/mount.js';
import { eventually } from '../eventually.js';
import { LiveClient } from './live-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const USER = userInfo().username;
const FAULTS = { onFault: () => {}, onRefusal: () => {} };

let server: ServerUnderTest;
beforeEach(async () => {
  const mounts = (manager: ConstructorParameters<typeof McpMount>[0]) => [new McpMount(manager, FAULTS)];
  server = await startServer({ engine: { defaultShell: '/bin/bash' }, mounts });
});
afterEach(stopServers);

it('records callers over REST with the name of the user, or of the key', async () => {
  const { key } = createKey(server.dataDir, 'laptop');
  const headers = { 'X-API-Key': key };
  const id = await server.api.create();
  await server.api.call('post', `/api/terminals/${id}/exec`, { body: { command: 'true' }, headers });
  await server.api.call('post', `/api/terminals/${id}/input`, { body: { input: 'true' }, headers });
  const { body } = await server.api.get(`/api/terminals/${id}`);
  expect(body.data).toMatchObject({
    createdBy: { name: USER, door: 'rest' },
    lastTypedBy: { name: 'laptop', door: 'rest' },
  });
  expect((await server.api.get(`/api/terminals/${id}/commands/1`)).body.data.by).toEqual({
    name: 'laptop',
    door: 'rest',
  });
});

it('records the creator of a repeated request once', async () => {
  const headers = { 'Idempotency-Key': 'the-same' };
  const create = () => server.api.call('post', '/api/terminals', { body: {}, headers });
  const [first, second] = [await create(), await create()];
  expect(second.body).toEqual(first.body);
  expect((await server.manager.list()).map(({ createdBy }) => createdBy)).toEqual([{ name: USER, door: 'rest' }]);
});

it('records what is typed on a live connection under the name that it shows', async () => {
  const id = await server.api.create({ command: 'cat' });
  for (const [query, name] of [
    ['', USER],
    ['name=Ada', 'Ada'],
  ] as const) {
    const client = await LiveClient.open(server.url, id, { query });
    client.send({ type: 'input', seq: 1, text: 'x' });
    await client.get('ack');
    expect((await server.manager.get(id)).lastTypedBy).toEqual({ name, door: 'live' });
    client.send({ type: 'control', action: 'take' });
    await eventually(() => client.all('control').at(-1)?.holder?.name === name);
    client.send({ type: 'control', action: 'release' });
    await eventually(() => client.all('control').at(-1)?.holder === null);
    client.socket.close();
  }
});

it('records agents under the names that their clients give themselves', async () => {
  const session = await begin('claude\x1b[2J-code');
  await callTool({ command: 'true' }, session);
  await callTool({ command: 'true', terminal: 1 });
  const [first, second] = await server.manager.list();
  expect(first!.createdBy).toEqual({ name: 'claude[2J-code', door: 'mcp' });
  expect((await server.manager.command(first!.id, 1)).by).toEqual({ name: 'claude[2J-code', door: 'mcp' });
  // Without a session, this revision of the protocol tells no name.
  expect(second!.createdBy).toEqual({ name: USER, door: 'mcp' });
  await callTool({ action: 'INPUT', text: 'true' }, session);
  expect((await server.manager.get(first!.id)).lastTypedBy).toEqual({ name: 'claude[2J-code', door: 'mcp' });
});

async function post(method: string, params: object, session?: string): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'Mcp-Session-Id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

async function begin(name: string): Promise<string> {
  const clientInfo = { name, version: '1' };
  const answer = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await answer.text();
  return answer.headers.get('mcp-session-id')!;
}

async function callTool(args: object, session?: string): Promise<void> {
  expect(await (await post('tools/call', { name: 'terminal', arguments: args }, session)).text()).not.toContain(
    '"isError":true',
  );
}
