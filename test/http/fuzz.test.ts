/** Sends random queries, bodies and paths: every answer is documented, and never an internal error. */
import fc from 'fast-check';
import { createKey } from '../../src/access/key-file.js';
import { runs } from '../deep.js';
import { documented } from './documented.js';
import { jsonRequest, requestText, sendRaw } from './raw-request.js';
import { startServer, type ServerUnderTest } from './server-under-test.js';

const RUNS = runs({ normal: 30, deep: 300 });

let server: ServerUnderTest;
let id: string;
/** With a key, the kernel's table of connections need not be read for each connection. */
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await startServer({ engine: { maxTerminals: 20 } });
  headers = { 'X-API-Key': createKey(server.dataDir, 'fuzz').key };
  const { body } = await server.api.call('post', '/api/terminals', { body: { command: '/bin/cat' }, headers });
  id = body.data.terminalId as string;
});
afterAll(() => server.stop());

const get = (target: string) => requestText(server.port, 'GET', target, { headers });
const withBody = (method: string, target: string, body: string | Buffer) =>
  jsonRequest(server.port, method, target, body, headers);

/** Sends it; fails for an undocumented answer or an internal error. */
async function survives(method: string, target: string, bytes: Buffer): Promise<void> {
  const answer = await sendRaw(server.port, bytes);
  documented(method, target, answer);
  expect(answer.status).toBeLessThan(500);
}

const nearlyNumber = fc.oneof(fc.integer().map(String), fc.double().map(String), fc.string());
const queryName = fc.oneof(
  fc.constantFrom('since', 'cursor', 'mode', 'headLines', 'tailLines', 'maxLines', 'maxBytes', 'format'),
  fc.string(),
);
const queryValue = fc.oneof(fc.constantFrom('full', 'tail', 'raw', 'ansi', ''), nearlyNumber);
const query = fc
  .array(fc.tuple(queryName, queryValue), { maxLength: 6 })
  .map((pairs) => pairs.map((pair) => pair.map(encodeSafely).join('=')).join('&'));

/** Percent-encodes, but leaves some characters unencoded that should be encoded. */
function encodeSafely(text: string): string {
  return [...text].map((each) => (/[\x21\x22\x24-\x7e]/.test(each) ? each : encodeURIComponent(each))).join('');
}

it('answers every query for output', async () => {
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      const target = `/api/terminals/${id}/output?${text}`;
      await survives('GET', target, get(target));
    }),
    { numRuns: RUNS },
  );
});

const filterName = fc.constantFrom('ids', 'label', 'status', 'limit', 'after', 'sort', 'text', 'regex', 'commands');
const filterValue = fc.oneof(fc.constantFrom('active', 'a=b', 'true', 'name', '(a+)*$', ''), nearlyNumber);

it.each(['/api/overview', '/api/search'])('answers every query for %s', async (path) => {
  const pairs = fc.array(fc.tuple(filterName, filterValue), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(pairs, async (all) => {
      const target = `${path}?${all.map((pair) => pair.map(encodeSafely).join('=')).join('&')}`;
      await survives('GET', target, get(target));
    }),
    { numRuns: RUNS },
  );
});

const input = fc.record(
  {
    input: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
    keys: fc.oneof(fc.array(fc.constantFrom('enter', 'up', 'ctrl-c', 'f99', '')), fc.jsonValue()),
    enter: fc.oneof(fc.boolean(), fc.jsonValue()),
    raw: fc.oneof(fc.boolean(), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const size = fc.record({ cols: fc.oneof(fc.integer(), fc.jsonValue()), rows: fc.oneof(fc.nat(1200), fc.jsonValue()) });
const signal = fc.record({ signal: fc.oneof(fc.constantFrom('SIGWINCH', 'SIGCONT', 'KILL'), fc.jsonValue()) });
// Nothing of it is run, because there is no shell integration.
const exec = fc.record(
  {
    command: fc.oneof(fc.string(), fc.jsonValue()),
    timeoutMs: fc.oneof(fc.nat(10), fc.jsonValue()),
    mode: fc.oneof(fc.constantFrom('full', 'tail'), fc.jsonValue()),
    detach: fc.oneof(fc.boolean(), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const wait = fc.record(
  {
    text: fc.oneof(fc.string(), fc.jsonValue()),
    regex: fc.oneof(fc.string(), fc.constantFrom('(', '(a*)*b', '\\1'), fc.jsonValue()),
    port: fc.oneof(fc.nat(), fc.constant(true), fc.jsonValue()),
    fromOffset: fc.oneof(fc.nat(10), fc.jsonValue()),
    timeoutMs: fc.oneof(fc.nat(5)),
  },
  { requiredKeys: ['timeoutMs'] },
);
const answer = fc.record(
  {
    waiting: fc.oneof(fc.string(), fc.jsonValue()),
    text: fc.oneof(fc.string(), fc.jsonValue()),
    keys: fc.oneof(fc.array(fc.constantFrom('enter', 'up', '')), fc.jsonValue()),
  },
  { requiredKeys: ['waiting'] },
);
const TARGETS = [
  ['POST', 'answer', fc.oneof(answer, fc.jsonValue())],
  ['POST', 'exec', fc.oneof(exec, fc.jsonValue())],
  ['POST', 'wait', wait],
  ['POST', 'input', fc.oneof(input, fc.jsonValue())],
  ['PUT', 'size', fc.oneof(size, fc.jsonValue())],
  ['POST', 'signal', fc.oneof(signal, fc.jsonValue())],
] as const;

it.each(TARGETS)('answers every body for %s …/%s', async (method, what, bodies) => {
  const target = `/api/terminals/${id}/${what}`;
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      await survives(method, target, withBody(method, target, JSON.stringify(body)));
    }),
    { numRuns: RUNS },
  );
});

const createBody = fc.record(
  {
    shell: fc.oneof(fc.constantFrom('/bin/sh', 'sh', '/etc', '/dev/null'), fc.string()),
    cwd: fc.oneof(fc.constantFrom('/', '.', '/etc/passwd'), fc.string()),
    args: fc.oneof(fc.array(fc.string(), { maxLength: 3 }), fc.jsonValue()),
    env: fc.oneof(fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }), fc.jsonValue()),
    cols: fc.oneof(fc.nat(1200), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

it('answers every request to create a terminal', async () => {
  await fc.assert(
    fc.asyncProperty(createBody, async (body) => {
      const answer = await sendRaw(server.port, withBody('POST', '/api/terminals', JSON.stringify(body)));
      documented('POST', '/api/terminals', answer);
      expect(answer.status).toBeLessThan(500);
      if (answer.status === 201) await server.manager.remove(JSON.parse(answer.text).data.terminalId, { graceMs: 0 });
    }),
    { numRuns: 60 },
  );
});

it('answers bodies of bytes that are not JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
      const target = `/api/terminals/${id}/size`;
      await survives('PUT', target, withBody('PUT', target, Buffer.from(body)));
    }),
    { numRuns: RUNS },
  );
});

it('answers every path', async () => {
  const segment = fc.oneof(
    fc.constantFrom('api', 'terminals', 'output', 'commands', '1', 'result', '..', '%2e%2e', '', id),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { maxLength: 6 }), async (segments) => {
      const target = `/${segments.map(encodeSafely).join('/')}`;
      // The page is there, whose answers the table of routes does not describe.
      fc.pre(target.split('?', 1)[0] !== '/');
      await survives('GET', target, get(target));
    }),
    { numRuns: RUNS },
  );
});

it('still has the terminal, unchanged', async () => {
  expect((await server.api.call('get', `/api/terminals/${id}`, { headers })).body.data.id).toBe(id);
});
