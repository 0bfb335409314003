/** Tests what a caller may do in its role, through every method, every route, live connections and MCP. */
import { permitted } from '../../src/access/permitted-manager.js';
import { mayDo } from '../../src/access/roles.js';
import { METHOD_NAMES, METHODS, type MethodName } from '../../src/contract/methods.js';
import { ROUTES } from '../../src/http/routes.js';
import { McpMount } from '../../src/mcp/mount.js';
import { LiveClient } from './live-client.js';
import { startServer, stopServers } from './server-under-test.js';

afterEach(stopServers);

const MOUNTS = { mounts: (manager: ConstructorParameters<typeof McpMount>[0]) => [new McpMount(manager, FAULTS)] };
const FAULTS = { onFault: () => {}, onRefusal: () => {} };
/** POST routes that only wait. */
const READING: readonly string[] = ['waitFor'];
/** Routes of the page: whoever it is may use them, and gets no more by that. */
const OF_PAGE: readonly string[] = [
  ...['signIn', 'endSignIn', 'endAllSignIns', 'openAnswerLink', 'answerByLink', 'createDownloadTicket', 'download'],
];

it.each(['owner', 'controller', 'viewer', 'guest'] as const)('refuses methods to the role %s', async (role) => {
  const { manager } = await startServer();
  const own = permitted(manager, { role });
  const refused: MethodName[] = [];
  for (const name of METHOD_NAMES) {
    const call = own[name] as (...values: readonly unknown[]) => Promise<unknown>;
    const target = METHODS[name].of === 'manager' ? [] : ['no-such', 1];
    const code = await call.apply(own, [...target, { nonsense: true }]).then(
      () => 'none',
      (error: { code?: string }) => error.code,
    );
    if (code === 'FORBIDDEN') refused.push(name);
  }
  expect(refused).toEqual(METHOD_NAMES.filter((name) => !mayDo(role, METHODS[name].action)));
  if (role !== 'owner') await expect(own.shutdown()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(refused.length).toBeGreaterThanOrEqual(
    { owner: 0, controller: 5, viewer: 13, guest: METHOD_NAMES.length }[role],
  );
});

it('refuses every route that changes something to a viewer, and no other', async () => {
  const { api, manager, url } = await startServer({ role: 'viewer', engine: { defaultShell: '/bin/bash' } });
  const { id } = await manager.create();
  await manager.exec(id, { command: 'true' });
  const before = await manager.get(id);
  expect(await statusOf(`${url}/api/events`)).toBe(200);
  for (const { method, path, name, action, example } of ROUTES.filter(
    (each) => each.path !== '/api/events' && !OF_PAGE.includes(each.name),
  )) {
    const target = path.replace(':terminalId', id).replace(':commandId', '1').replace(':hookId', 'abcdef0123');
    const body = READING.includes(name) ? { timeoutMs: 0 } : example.body;
    const { query = {} } = example;
    const { status, body: answer } = await api.call(method, target, { query, ...(body && { body }) });
    const isChanging = action === 'manage' || (method !== 'get' && !READING.includes(name));
    expect([name, status === 403 ? answer.error.code : 'allowed']).toEqual([
      name,
      isChanging ? 'FORBIDDEN' : 'allowed',
    ]);
    expect([name, status]).not.toEqual([name, 500]);
  }
  // The prompt may still come after the result of `exec`.
  const { lastActivity: _now, totalBytes: _bytes, totalLines: _lines, ...after } = await manager.get(id);
  expect(before).toMatchObject(after);
});

/** Returns the status of an answer that does not end. */
async function statusOf(url: string): Promise<number> {
  const leaving = new AbortController();
  const { status } = await fetch(url, { signal: leaving.signal });
  leaving.abort();
  return status;
}

it('allows a controller to type and to run commands, but not to create or end terminals', async () => {
  const { api, manager } = await startServer({ role: 'controller', engine: { defaultShell: '/bin/bash' } });
  const { id } = await manager.create();
  expect((await api.post(`/api/terminals/${id}/exec`, { command: 'true' })).status).toBe(200);
  expect((await api.post(`/api/terminals/${id}/input`, { input: 'true' })).status).toBe(200);
  expect((await api.post('/api/terminals')).body.error.code).toBe('FORBIDDEN');
  expect((await api.delete(`/api/terminals/${id}`)).body.error.code).toBe('FORBIDDEN');
  expect((await api.post('/api/exec', { command: 'true' })).body.error.code).toBe('FORBIDDEN');
  expect(await manager.list()).toMatchObject([{ id, status: 'active' }]);
});

it('grants a live connection at most what its caller may do', async () => {
  const { url, manager } = await startServer({ role: 'viewer' });
  const { id } = await manager.create({ command: 'cat' });
  const client = await LiveClient.open(url, id, { query: 'role=controller' });
  expect(await client.get('hello')).toMatchObject({ role: 'viewer' });
  await client.get('snapshot');
  const messages = [
    { type: 'input', seq: 1, text: 'x' },
    { type: 'resize', cols: 90, rows: 20 },
    { type: 'control', action: 'take' },
  ];
  for (const message of messages) client.send(message);
  await client.get('error', 2);
  expect(client.all('error').map(({ code, about }) => [code, about])).toEqual([
    ['FORBIDDEN', 1],
    ['FORBIDDEN', 'resize'],
    ['FORBIDDEN', 'control'],
  ]);
  expect(await manager.get(id)).toMatchObject({ inputCount: 0, holder: null, cols: 80 });
});

it('refuses an agent what its caller may not do', async () => {
  const { url, manager } = await startServer({ role: 'viewer', ...MOUNTS });
  const { id } = await manager.create({ command: 'cat' });
  const call = async (args: object): Promise<string> => {
    const params = { name: 'terminal', arguments: args };
    const headers = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text();
  };
  expect(await call({ command: 'true' })).toContain('FORBIDDEN');
  expect(await call({ action: 'INPUT', id, text: 'x' })).toContain('FORBIDDEN');
  expect(await call({ action: 'KILL', id })).toContain('FORBIDDEN');
  expect(await call({ action: 'SCREEN', id })).not.toContain('FORBIDDEN');
  expect(await manager.list()).toMatchObject([{ id, status: 'active' }]);
});
