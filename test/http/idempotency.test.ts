/**
 * Tests repeated requests with the same `Idempotency-Key`: they have one effect, whenever and by whatever caller they
 * are repeated.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../src/access/key-file.js';
import { IdempotencyKeys } from '../../src/http/idempotency.js';
import { Place } from '../cli/place.js';
import type { RunningCommand } from '../cli/place.js';
import { eventually } from '../eventually.js';
import { ApiClient } from './api-client.js';
import { startServer, type ServerUnderTest } from './server-under-test.js';

/** Limits only a failing test. */
const LONG_MS = 60_000;
const TEN_MINUTES_MS = 600_000;
const NAMES = ['exec', 'in-new', 'run'];

let server: ServerUnderTest;
let nowMs = Date.now();
let directory: string;
let place: Place;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-keys-'));
  server = await startServer({ http: { keys: new IdempotencyKeys(join(directory, 'keys'), () => nowMs) } });
  place = await new Place().ready();
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
  await place.close();
});

let keys = 0;
const newKey = () => `key-${++keys}`;
const post = (path: string, body: object, key: string, { api = server.api, headers = {} } = {}) =>
  api.call('post', path, { body, headers: { ...headers, 'Idempotency-Key': key } });
const countOf = async (api = server.api): Promise<number> => (await api.get('/api/terminals')).body.data.count;
const linesOf = (path: string) => readFileSync(path, 'utf8').trim().split('\n');

it.each([
  ['/api/terminals', { cols: 90 }, ['terminalId', 'pid', 'created']],
  ['/api/exec', { command: 'echo $$', terminal: { shell: 'bash' } }, ['terminalId', 'commandId', 'output', 'exitCode']],
  ['/api/run', { command: 'sh', args: ['-c', 'echo $$'] }, ['terminalId', 'output', 'exitCode']],
])('POST %s creates one terminal, and answers with its state', async (path, body, same) => {
  const [key, before] = [newKey(), await countOf()];
  const first = await post(path, body, key);
  const second = await post(path, body, key);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  for (const field of same) expect(second.body.data[field]).toEqual(first.body.data[field]);
  expect(await countOf()).toBe(before + 1);
});

it('runs a command of exec once, and answers with its output again', async () => {
  const id = await server.api.create({ shell: 'bash' });
  const [key, path] = [newKey(), `/api/terminals/${id}/exec`];
  await post(path, { command: 'N=$((N+1)); echo "run $N"' }, key);
  await server.api.post(path, { command: 'true' });
  const again = await post(path, { command: 'N=$((N+1)); echo "run $N"' }, key);
  expect(again.body.data).toMatchObject({ commandId: 1, output: 'run 1', exitCode: 0 });
  expect((await server.api.get(`/api/terminals/${id}/commands`)).body.data.commands).toHaveLength(2);
});

it('types input once', async () => {
  const id = await server.api.run('while read line; do echo "got $line"; done');
  const [key, path] = [newKey(), `/api/terminals/${id}/input`];
  for (let time = 0; time < 3; time++) expect((await post(path, { input: 'one' }, key)).status).toBe(200);
  await server.api.type(id, 'two');
  const seen = await server.api.readUntil(id, 'got two');
  expect(seen.split('got one')).toHaveLength(2);
  expect((await server.api.get(`/api/terminals/${id}`)).body.data.inputCount).toBe(2);
});

it('creates nothing to replace a removed terminal', async () => {
  const key = newKey();
  const { body } = await post('/api/terminals', {}, key);
  await server.api.delete(`/api/terminals/${body.data.terminalId}`);
  for (let time = 0; time < 2; time++) {
    const again = await post('/api/terminals', {}, key);
    expect([again.status, again.body.error?.code]).toEqual([404, 'TERMINAL_NOT_FOUND']);
  }
});

it('answers 422 KEY_REUSED to another body, and to another terminal', async () => {
  const [one, other] = [await server.api.create(), await server.api.create()];
  const key = newKey();
  await post(`/api/terminals/${one}/input`, { input: 'true' }, key);
  for (const [id, input] of [
    [one, 'false'],
    [other, 'true'],
  ] as const) {
    const { status, body } = await post(`/api/terminals/${id}/input`, { input }, key);
    expect([status, body.error.code]).toEqual([422, 'KEY_REUSED']);
  }
  expect((await post('/api/terminals', {}, key)).status).toBe(201);
});

it('lets the second of two concurrent requests wait for the first, and refuses another body meanwhile', async () => {
  const [key, file] = [newKey(), join(directory, 'at-once')];
  const script = `echo begun >>'${file}'; until [ -e '${file}-go' ]; do sleep 0.05; done; echo $$`;
  const body = { command: 'sh', args: ['-c', script], timeoutMs: LONG_MS };
  const both = Promise.all([post('/api/run', body, key), post('/api/run', body, key)]);
  await eventually(() => readdirSync(directory).includes('at-once'));
  expect((await post('/api/run', { ...body, cols: 99 }, key)).status).toBe(422);
  await server.api.post('/api/run', { command: 'touch', args: [`${file}-go`] });
  const answers = (await both).map((answer) => answer.body.data);
  expect(answers[0]).toMatchObject({ completed: true, exitCode: 0 });
  expect(answers[1]).toMatchObject({ terminalId: answers[0].terminalId, output: answers[0].output });
  expect(linesOf(file)).toEqual(['begun']);
});

it('keeps a key that was refused available for the next request', async () => {
  const key = newKey();
  expect((await post('/api/run', { command: '/nowhere/there' }, key)).status).toBe(400);
  expect((await post('/api/run', { command: 'true' }, key)).status).toBe(201);
});

it('keeps a key for ten minutes, for one principal, in private files that do not contain the request', async () => {
  const key = newKey();
  const idOf = async (headers = {}) => {
    const { body } = await post('/api/terminals', { env: { SECRET: 'abc' } }, key, { headers });
    return body.data.terminalId as string;
  };
  const first = await idOf();
  const stranger = createKey(server.dataDir, 'other').key;
  expect(await idOf({ 'X-API-Key': stranger })).not.toBe(first);
  nowMs += TEN_MINUTES_MS - 1000;
  expect(await idOf()).toBe(first);
  nowMs += 1000;
  expect(await idOf()).not.toBe(first);
  const files = readdirSync(join(directory, 'keys')).map((name) => join(directory, 'keys', name));
  expect(files).toHaveLength(1);
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  expect(linesOf(files[0]!).join()).not.toMatch(/abc|SECRET|key-/);
});

it('limits the keys of each principal, and leaves other principals alone', async () => {
  const keys = new IdempotencyKeys(join(directory, 'few'), () => nowMs, 2);
  const use = (principalId: string, key: string) =>
    keys.once({ principalId, route: 'x', key, content: null, signal: new AbortController().signal }, async () => key);
  for (const key of ['1', '2']) await use('one', key);
  await expect(use('one', '3')).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  for (const key of ['1', '2', '3']) expect(await use(key === '3' ? 'other' : 'one', key)).toBe(key);
  nowMs += TEN_MINUTES_MS;
  expect(await use('one', '3')).toBe('3');
});

it.each([
  ['that is invalid', '/api/terminals', 'two words', {}],
  ['on a route that accepts none', '/api/terminals/none/signal', 'word', {}],
  ['for a stream', '/api/exec', 'word', { Accept: 'text/event-stream' }],
])('refuses a key %s', async (_what, path, key, headers) => {
  const body = {
    ...(path.endsWith('signal') && { signal: 'SIGINT' }),
    ...(path === '/api/exec' && { command: 'true' }),
  };
  const answer = await post(path, body, key, { headers });
  expect(answer.status).toBe(400);
  expect(answer.body.error.details.issues[0].field).toBe('header.Idempotency-Key');
});

describe('after the server was killed', () => {
  it('has executed each request once', async () => {
    let { process, api } = await serve();
    const shell = await api.create({ shell: 'bash' });
    const reader = await api.run('while read line; do echo "got $line"; done');
    const requests: [string, object][] = [
      ['/api/terminals', { cols: 90 }],
      [`/api/terminals/${shell}/exec`, { command: 'N=$((N+1)); echo "run $N"' }],
      [`/api/terminals/${reader}/input`, { input: 'one' }],
      ['/api/run', { command: 'sh', args: ['-c', 'echo $$'] }],
    ];
    const firsts = await Promise.all(requests.map(([path, body], i) => post(path, body, `done-${i}`, { api })));
    const count = await countOf(api);
    await kill(process);
    ({ process, api } = await serve());
    const seconds = await Promise.all(requests.map(([path, body], i) => post(path, body, `done-${i}`, { api })));
    for (const [i, { status, body, headers }] of seconds.entries()) {
      expect([status, headers['idempotent-replayed']]).toEqual([firsts[i]!.status, 'true']);
      expect(body.data?.terminalId).toBe(firsts[i]!.body.data?.terminalId);
      expect(body.data?.output).toBe(firsts[i]!.body.data?.output);
    }
    expect(await countOf(api)).toBe(count);
    expect((await api.get(`/api/terminals/${reader}`)).body.data.inputCount).toBe(1);
    await kill(process);
  });

  it('continues requests that it did not answer', async () => {
    let { process, api } = await serve();
    const shell = await api.create({ shell: 'bash' });
    const requests = NAMES.map((name): [string, object] => {
      const script = waiting(name);
      if (name === 'run') return ['/api/run', { command: 'sh', args: ['-c', script], timeoutMs: LONG_MS }];
      const path = name === 'exec' ? `/api/terminals/${shell}/exec` : '/api/exec';
      return [path, { command: script, timeoutMs: LONG_MS }];
    });
    const all = () => requests.map(([path, body], i) => post(path, body, `open-${i}`, { api }));
    const firsts = Promise.allSettled(all());
    await eventually(() => readdirSync(place.directory).filter((name) => name.startsWith('begun-')).length === 3);
    await kill(process);
    expect((await firsts).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    ({ process, api } = await serve());
    const count = await countOf(api);
    const seconds = Promise.all(all());
    for (const name of NAMES) writeFileSync(join(place.directory, `go-${name}`), '');
    for (const { body } of await seconds) expect(body.data).toMatchObject({ output: 'gone on', exitCode: 0 });
    for (const name of NAMES) expect(linesOf(join(place.directory, `begun-${name}`))).toHaveLength(1);
    expect(await countOf(api)).toBe(count);
    await kill(process);
  });
});

function waiting(name: string): string {
  const [begun, go] = [join(place.directory, `begun-${name}`), join(place.directory, `go-${name}`)];
  return `echo >>'${begun}'; until [ -e '${go}' ]; do sleep 0.05; done; echo gone on`;
}

async function serve(): Promise<{ process: RunningCommand; api: ApiClient }> {
  const env = { TENACITTY_LOG_LEVEL: 'error', TENACITTY_RATE_LIMIT: '0' };
  const process = place.start(['serve'], { env, stdin: null });
  await process.says(/is at http:\S+/, 'stderr');
  return { process, api: new ApiClient(/is at (http:\S+)/.exec(process.stderr)![1]!) };
}

async function kill(process: RunningCommand): Promise<void> {
  const ended = process.ended();
  process.child.kill('SIGKILL');
  await ended;
}
