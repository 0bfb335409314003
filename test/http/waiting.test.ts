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
