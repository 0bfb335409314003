/** Tests holding a terminal over REST: what other callers may still do, through each interface, and how a hold ends. */
import { McpMount } from '../../src/mcp/mount.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
let id: string;
beforeEach(async () => {
  const faults = { onFault: () => {}, onRefusal: () => {} };
  server = await startServer({
    engine: { defaultShell: '/bin/bash' },
    mounts: (manager) => [new McpMount(manager, faults)],
  });
  id = await server.api.create({ env: { PS1: '$ ' } });
  await server.manager.exec(id, { command: 'true' });
});
afterEach(stopServers);

const control = (body: object, headers = {}) =>
  server.api.call('post', `/api/terminals/${id}/control`, { body, headers });

async function take(name: string, more = {}): Promise<Record<'X-Hold', string>> {
  const { status, body } = await control({ action: 'take', name, ...more });
  expect([status, body.data.holder.name]).toEqual([200, name]);
  return { 'X-Hold': body.data.token };
}

const CALLS = [
  ['post', 'input', { input: 'echo typed' }],
  ['put', 'size', { cols: 90, rows: 30 }],
  ['post', 'exec', { command: 'true' }],
  ['post', 'integrate', {}],
] as const;

const call = ([method, path, body]: readonly ['post' | 'put', string, object], headers = {}) =>
  server.api.call(method, `/api/terminals/${id}/${path}`, { body, headers });

it.each(CALLS)('refuses calls of others that change the terminal: %s %s', async (...each) => {
  const mine = await take('Ada');
  const { status, body } = await call(each);
  expect([status, body.error.code, body.error.details.holder.name]).toEqual([409, 'TERMINAL_HELD', 'Ada']);
  expect((await call(each, { 'X-Hold': 'another-token' })).body.error.code).toBe('TERMINAL_HELD');
  expect((await call(each, mine)).body.error?.code).not.toBe('TERMINAL_HELD');
  expect((await control({ action: 'release' })).body.error.code).toBe('TERMINAL_HELD');
  expect((await control({ action: 'release' }, mine)).body.data).toEqual({
    holder: null,
    token: null,
    expiresAt: null,
  });
  expect((await call(each)).body.error?.code).not.toBe('TERMINAL_HELD');
});

it('allows others to read, send signals, and end the terminal', async () => {
  await take('Ada');
  expect((await server.api.get(`/api/terminals/${id}`)).body.data.holder).toMatchObject({ name: 'Ada' });
  expect((await server.api.get(`/api/terminals/${id}/output`)).status).toBe(200);
  expect((await server.api.post(`/api/terminals/${id}/signal`, { signal: 'SIGINT' })).status).toBe(200);
  expect((await server.api.delete(`/api/terminals/${id}`)).status).toBe(200);
});

it('refuses an agent too, with the reason', async () => {
  await agent({ command: 'true', terminal: 1 });
  const made = (await server.manager.list()).find((one) => one.id !== id)!;
  await server.manager.control(made.id, { action: 'take', name: 'Ada' });
  expect(await agent({ command: 'true', terminal: 1 })).toMatch(/TERMINAL_HELD.*Ada/);
});

async function agent(args: object): Promise<string> {
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'terminal', arguments: args },
    }),
    headers: { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
  });
  return answer.text();
}

it('passes to the next caller that takes it', async () => {
  const first = await take('Ada');
  const second = await take('Grace');
  expect((await call(CALLS[0], first)).body.error.details.holder.name).toBe('Grace');
  expect((await call(CALLS[0], second)).status).toBe(200);
});

it('ends some time after the last call of its holder', async () => {
  const mine = await take('Ada', { holdMs: 1000 });
  expect((await control({ action: 'renew' }, mine)).body.data.holder).toMatchObject({ name: 'Ada' });
  expect((await call(CALLS[0])).status).toBe(409);
  await eventually(async () => (await call(CALLS[0])).status === 200);
  expect((await server.manager.get(id)).holder).toBeNull();
});

it('is renewed by every call that carries its token', async () => {
  const mine = await take('Ada', { holdMs: 1000 });
  for (let read = 0; read < 4; read++) {
    const { status } = await server.api.call('get', `/api/terminals/${id}`, { headers: mine });
    expect(status).toBe(200);
    await server.manager.wait(id, { text: 'never printed', timeoutMs: 500 });
  }
  expect((await server.manager.get(id)).holder).toMatchObject({ name: 'Ada' });
});

it.each(['', 'a\x1b[2J', 'a\u202eb', 'x'.repeat(65)])('refuses a name that cannot be displayed: %j', async (name) => {
  expect((await control({ action: 'take', name })).body.error.code).toBe('INVALID_INPUT');
});

it('has a default name', async () => {
  const { body } = await control({ action: 'take' });
  expect(body.data.holder.name).toBe((await import('node:os')).userInfo().username);
});

it('accepts no other header', async () => {
  expect((await call(CALLS[0], { 'X-Hold': 'no token!' })).body.error.code).toBe('INVALID_INPUT');
});
