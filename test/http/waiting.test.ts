/** Long reads: what ends them, and what they must not end. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { startServer, type ServerUnderTest } from './server-under-test.js';
import { eventually } from '../eventually.js';

const LONG_MS = 100_000;

let server: ServerUnderTest;
beforeEach(async () => void (server = await startServer()));
afterEach(() => server.stop());
const api = () => server.api;

/** A terminal that says nothing until it is given a line, then says that line and ends with code 5. */
const quiet = () => api().run('read line; echo "got $line"; exit 5');

const waitFor = (id: string) => api().get(`/api/terminals/${id}/output`, { timeoutMs: LONG_MS });

/** Resolves when the manager says that so many reads wait. */
async function waiting(count: number): Promise<void> {
  await eventually(async () => (await server.manager.summary()).waitingReads === count);
}

it('ends as soon as there is new output', async () => {
  const id = await quiet();
  const reading = waitFor(id);
  await waiting(1);
  await api().type(id, 'now');
  expect((await reading).body.data.output).toContain('now');
});

it('ends when the program ends without a word', async () => {
  const id = await api().run('read line; exit 5');
  const { cursor } = (await api().get(`/api/terminals/${id}/output`)).body.data;
  const reading = api().get(`/api/terminals/${id}/output`, { timeoutMs: LONG_MS, cursor });
  await waiting(1);
  await api().post(`/api/terminals/${id}/signal`, { signal: 'SIGKILL', target: 'all' });
  expect((await reading).body.data).toMatchObject({ isActive: false, signal: 'SIGKILL' });
});

it('answers with nothing new when the time is over', async () => {
  const id = await quiet();
  const { body } = await api().get(`/api/terminals/${id}/output`, { timeoutMs: 20 });
  expect(body.data).toMatchObject({ output: '', hasMore: false, isActive: true });
});

it('ends when the caller goes away, and the program runs on', async () => {
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

it('is refused when too many wait already', async () => {
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
