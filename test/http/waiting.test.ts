/** Tests long reads: what ends them, and what they must not end. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createKey } from '../../src/access/key-file.js';
import type { ApiCallOptions } from './api-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';
import { eventually } from '../eventually.js';

const LONG_MS = 100_000;

let server: ServerUnderTest;
beforeEach(async () => void (server = await startServer()));
afterEach(stopServers);
const api = () => server.api;

/** A terminal that prints nothing until it gets a line, then prints that line and exits with code 5. */
const quiet = () => api().run('read line; echo "got $line"; exit 5');

const waitFor = (id: string) => api().get(`/api/terminals/${id}/output`, { timeoutMs: LONG_MS });

/** Resolves when the manager reports this number of reads that wait. */
async function waiting(count: number): Promise<void> {
  await eventually(async () => (await server.manager.summary()).waitingReads === count);
}

/** Sends requests with a key of its own. */
function bearer({ dataDir, api }: ServerUnderTest, name: string) {
  const headers = { Authorization: `Bearer ${createKey(dataDir, name).key}` };
  return (method: 'get' | 'post', path: string, options: ApiCallOptions = {}) =>
    api.call(method, path, { ...options, headers });
}

it('ends as soon as there is new output', async () => {
  const id = await quiet();
  const reading = waitFor(id);
  await waiting(1);
  await api().type(id, 'now');
  expect((await reading).body.data.output).toContain('now');
});

it('ends when the program ends without output', async () => {
  const id = await api().run('read line; exit 5');
  const { cursor } = (await api().get(`/api/terminals/${id}/output`)).body.data;
  const reading = api().get(`/api/terminals/${id}/output`, { timeoutMs: LONG_MS, cursor });
  await waiting(1);
  await api().post(`/api/terminals/${id}/signal`, { signal: 'SIGKILL', target: 'all' });
  expect((await reading).body.data).toMatchObject({ isActive: false, signal: 'SIGKILL' });
});

it('answers without new output at the timeout', async () => {
  const id = await quiet();
  const { body } = await api().get(`/api/terminals/${id}/output`, { timeoutMs: 20 });
  expect(body.data).toMatchObject({ output: '', hasMore: false, isActive: true });
});

it('ends when the caller disconnects, and the program continues', async () => {
  const id = await quiet();
  const request = httpRequest(`${server.url}/api/terminals/${id}/output?timeoutMs=${LONG_MS}`);
  const gone = once(request, 'error');
  request.end();
  await waiting(1);
  request.destroy();
  await gone;
  await waiting(0);
  expect(server.logLines.join('')).toContain('"status":499');
  await api().type(id, 'still there');
  await api().readUntil(id, 'got still there');
});

it('ends when the server stops, with an answer', async () => {
  const id = await quiet();
  const reading = waitFor(id);
  await waiting(1);
  await server.close();
  expect((await reading).body.data.isActive).toBe(true);
  expect((await server.manager.get(id)).status).toBe('active');
});

it('is refused to a caller that has too many already, and to no other', async () => {
  const small = await startServer({ engine: { maxWaitingReads: 3 } });
  const [one, other] = [bearer(small, 'one'), bearer(small, 'other')];
  const id = await small.api.run('read line; echo "got $line"');
  const read = `/api/terminals/${id}/output`;
  const wait = `/api/terminals/${id}/wait`;
  const flood = Array.from({ length: 3 }, () => one('get', read, { query: { timeoutMs: LONG_MS } }));
  const begun = Promise.all(flood);
  await eventually(async () => (await small.manager.summary()).waitingReads === 3);
  for (const refused of [
    await one('get', read, { query: { timeoutMs: LONG_MS } }),
    await one('post', wait, { body: {} }),
  ]) {
    expect([refused.status, refused.body.error.code]).toEqual([409, 'LIMIT_REACHED']);
    expect(refused.body.error.details).toMatchObject({ limit: 'TENACITTY_MAX_WAITING_READS', value: 3 });
  }
  expect((await one('get', read)).status).toBe(200);
  const waited = other('post', wait, { body: { text: 'got', timeoutMs: LONG_MS } }).then((answer) => answer);
  await eventually(async () => (await small.manager.summary()).waitingReads === 4);
  await small.api.type(id, 'it');
  expect((await waited).body.data).toMatchObject({ reason: 'text' });
  expect((await begun).map(({ status }) => status)).toEqual([200, 200, 200]);
  // Requests that were answered no longer count.
  expect((await one('post', wait, { body: {} })).body.data).toMatchObject({ reason: 'exit' });
});

it.each([
  ['a search of all terminals, which searches four at once', 4, '/api/search?text=x', undefined],
  ['a stream of a command, which waits for its end and for output', 2, '/api/exec', { command: 'echo x' }],
])('counts the waits of %s', async (_what, waits, path, body) => {
  const small = await startServer({ engine: { maxWaitingReads: waits, defaultShell: '/bin/bash' } });
  const id = await small.api.run('read line');
  const { key } = createKey(small.dataDir, 'one');
  const headers = { Authorization: `Bearer ${key}`, Accept: 'text/event-stream', 'Content-Type': 'application/json' };
  const open = async () => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${small.url}${path}`, { headers, ...sent });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await open()).status).toBeLessThan(300);
  const query = { timeoutMs: LONG_MS };
  const reading = small.api.call('get', `/api/terminals/${id}/output`, { query, headers: { 'X-API-Key': key } });
  const read = reading.then(({ status }) => status);
  await eventually(async () => (await small.manager.summary()).waitingReads === 1);
  expect(await open()).toMatchObject({ status: 409, text: expect.stringContaining(`"value":${waits}`) });
  await small.api.type(id, '');
  expect(await read).toBe(200);
  expect((await open()).status).toBeLessThan(300);
});

it('is refused if too many requests wait already', async () => {
  const small = await startServer({ engine: { maxWaitingReads: 1 } });
  const id = await small.api.run('read line');
  const first = small.api.get(`/api/terminals/${id}/output`, { timeoutMs: LONG_MS });
  await eventually(async () => (await small.manager.summary()).waitingReads === 1);
  const { status, body } = await small.api.get(`/api/terminals/${id}/output`, { timeoutMs: LONG_MS });
  expect([status, body.error.code, body.error.details.limit]).toEqual([
    409,
    'LIMIT_REACHED',
    'TENACITTY_MAX_WAITING_READS',
  ]);
  await small.stop();
  expect((await first).status).toBe(200);
});

describe('if all waits are used up', () => {
  /** Four times the limit for one caller. */
  const ALL_WAITS = 4;

  /** A server on which no further request may wait, and the terminal that is waited for. */
  async function fullServer() {
    const full = await startServer({ engine: { maxWaitingReads: 1 } });
    const id = await full.api.run('read line');
    const reads = Array.from({ length: ALL_WAITS }, () => full.manager.read(id, { timeoutMs: LONG_MS }));
    await eventually(async () => (await full.manager.summary()).waitingReads === ALL_WAITS);
    const release = async () => {
      await full.api.type(id, '');
      await Promise.all(reads);
    };
    return { ...full, id, release };
  }

  it('refuses a command for a new terminal, leaves no terminal, and runs it when it is repeated', async () => {
    const { api, manager, id, release } = await fullServer();
    const headers = { 'Idempotency-Key': 'one' };
    const exec = () => api.call('post', '/api/exec', { body: { command: 'echo ran' }, headers });
    expect((await exec()).body.error.code).toBe('LIMIT_REACHED');
    expect((await manager.list()).map((one) => one.id)).toEqual([id]);
    await release();
    expect((await exec()).body.data).toMatchObject({ output: 'ran', commandId: 1 });
  });

  it('answers at once for a program that it has started, because an error would hide it', async () => {
    const { api, id, release } = await fullServer();
    const { status, body } = await api.post('/api/run', { command: 'sleep', args: ['1000'] });
    expect([status, body.data]).toMatchObject([201, { completed: false, state: 'running', waiting: null }]);
    expect(body.data.terminalId).not.toBe(id);
    await release();
  });
});
