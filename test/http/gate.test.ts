/** Tests that nothing bypasses the gate: every route, every method, and unknown paths, without and with a key. */
import { createHash } from 'node:crypto';
import { FORM_TYPE, JSON_TYPE } from '../../src/http/body.js';
import { ROUTES } from '../../src/http/routes.js';
import { McpMount } from '../../src/mcp/mount.js';
import { checkError } from './documented.js';
import { PageClient } from './page-client.js';
import { jsonRequest, requestText, sendRaw } from './raw-request.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const KEY = 'tty_for-this-test-only-0123456789abcdef0123';

let server: ServerUnderTest;
beforeEach(async () => {
  const apiKeyHashes = [createHash('sha256').update(KEY).digest('hex')];
  const faults = { onFault: () => {}, onRefusal: () => {} };
  server = await startServer({
    gate: { apiKeyHashes, corsOrigins: ['https://app.example'] },
    mounts: (manager) => [new McpMount(manager, faults)],
  });
});
afterEach(stopServers);

/** A request to each route that would have an effect if it were reached, and requests to unknown paths. */
function everything(headers: Record<string, string>): Buffer[] {
  const { port } = server;
  const routes = ROUTES.map(({ method, path, body, takesForm, example }) => {
    const target = path.replace(':terminalId', 'abc-123').replace(':commandId', '1').replace(':signInId', '0123456789');
    const verb = method.toUpperCase();
    const text = takesForm ? new URLSearchParams(example.body as never).toString() : JSON.stringify(example.body);
    const type = takesForm ? FORM_TYPE : JSON_TYPE;
    return body
      ? jsonRequest(port, verb, target, text, { 'Content-Type': type, ...headers })
      : requestText(port, verb, target, { headers });
  });
  const mcp = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'terminal', arguments: { command: 'true' } },
  };
  const accept = { Accept: 'application/json, text/event-stream', ...headers };
  const others = [
    'GET /no/such/route',
    'PATCH /api/terminals',
    'OPTIONS /api/terminals',
    'HEAD /docs',
    'GET /mcp',
    'GET /%zz',
  ];
  return [
    ...routes,
    jsonRequest(port, 'POST', '/mcp', JSON.stringify(mcp), accept),
    ...others.map((other) => requestText(port, ...(other.split(' ') as [string, string]), { headers })),
  ];
}

const STRANGERS = [
  ['a page whose origin is not allowed', { Origin: 'https://evil.example' }, 403],
  ['a page whose origin is allowed, without a key', { Origin: 'https://app.example' }, 401],
  ['a navigation in a browser', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }, 401],
  ['a DNS name of this address', { Host: 'evil.example' }, 403],
  ['a proxy', { 'X-Forwarded-For': '203.0.113.7' }, 401],
  ['a wrong key', { Authorization: 'Bearer tty_wrong' }, 401],
] as const;

/** What a browser on this machine may read without a key; test/http/browser.test.ts tests which browsers may. */
const PUBLIC = /^(GET|HEAD) \/(docs|llms\.txt|openapi\.json) /;

it.each(STRANGERS)('gives %s no access', async (who, headers, status) => {
  const isPublic = (bytes: Buffer) => who === 'a navigation in a browser' && PUBLIC.test(bytes.toString('latin1'));
  const asked = everything(headers).filter((bytes) => !isPublic(bytes));
  const answers = await Promise.all(asked.map((bytes) => sendRaw(server.port, bytes)));
  for (const answer of answers) {
    expect(answer.status).toBe(status);
    if (answer.text !== '') checkError(undefined, answer);
    expect(answer.headers).toHaveProperty('x-request-id');
  }
  expect(await server.manager.summary()).toMatchObject({ createdTotal: 0 });
});

describe.each(['from nowhere', 'from its page'])('%s', (where) => {
  it.each(['cookie', 'proof'] as const)('gives the %s of a sign-in alone no access', async (which) => {
    const page = await PageClient.signIn(server);
    const secret = { cookie: { Cookie: page.cookie }, proof: { 'X-Tenacitty-Proof': page.proof } }[which];
    const asked = everything({ ...secret, ...(where === 'from its page' && { Origin: server.url }) });
    // Only these need no sign-in, but a secret in the body.
    const isOpen = (text: string) => PUBLIC.test(text) || /^POST \/api\/(sign-ins|answer-links|answers) /.test(text);
    const answers = await Promise.all(
      asked.filter((bytes) => !isOpen(bytes.toString('latin1'))).map((bytes) => sendRaw(server.port, bytes)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await server.manager.summary()).toMatchObject({ createdTotal: 0 });
  });
});

/** By default, Node only exposes the first thousand. */
describe.each([0, 999, 1000, 2000])('after %i other headers', (fillers) => {
  it.each([
    ['Origin: https://evil.example', 403],
    ['X-Forwarded-For: 203.0.113.7', 401],
    ['Host: evil.example', 403],
  ])('%s is still recognized', async (header, status) => {
    const body = '{}';
    const rest = [`Host: 127.0.0.1:${server.port}`, 'Content-Type: application/json', 'Content-Length: 2'];
    const lines = ['POST /api/terminals HTTP/1.1', ...rest, ...Array<string>(fillers).fill('a:b'), header];
    const bytes = Buffer.from([...lines, 'Connection: close', '', body].join('\r\n'));
    const answer = await sendRaw(server.port, bytes);
    expect(answer.status).toBe(status);
    expect(await server.manager.summary()).toMatchObject({ createdTotal: 0 });
  });
});

it('does not read the body of an unauthenticated caller', async () => {
  const headers = { Origin: 'https://evil.example', 'Content-Type': 'text/nonsense', 'Content-Encoding': 'gzip' };
  const answer = await sendRaw(server.port, jsonRequest(server.port, 'POST', '/api/terminals', '{"cwd', headers));
  expect([answer.status, checkError(undefined, answer)]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
});

it('does not send 100 Continue to an unauthenticated caller', async () => {
  const headers = { Origin: 'https://evil.example', Expect: '100-continue', 'Content-Length': '1000000' };
  const answer = await sendRaw(server.port, requestText(server.port, 'POST', '/api/terminals', { headers }));
  expect(answer.status).toBe(403);
});

it('sends 100 Continue to an admitted caller', async () => {
  const body = JSON.stringify({ cwd: '/' });
  const bytes = jsonRequest(server.port, 'POST', '/api/terminals', body, { Expect: '100-continue' });
  expect((await sendRaw(server.port, bytes)).status).toBe(100);
});

it('lets a page of an allowed origin call with a key, with the headers for its browser', async () => {
  const origin = { Origin: 'https://app.example' };
  const asked = { ...origin, 'Access-Control-Request-Method': 'POST' };
  const preflight = await sendRaw(
    server.port,
    requestText(server.port, 'OPTIONS', '/api/terminals', { headers: asked }),
  );
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-methods']).toContain('POST');
  const headers = { ...origin, Authorization: `Bearer ${KEY}` };
  const answer = await sendRaw(server.port, requestText(server.port, 'GET', '/api/terminals', { headers }));
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, 'https://app.example']);
});

it('counts requests of one caller, and reports when to retry', async () => {
  const strict = await startServer({ gate: { rateLimitPerMinute: 2 } });
  for (const status of [200, 200, 429]) expect((await strict.api.get('/healthz')).status).toBe(status);
  const { headers, body } = await strict.api.get('/healthz');
  expect(body.error.code).toBe('RATE_LIMITED');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

it('logs callers by id and never by key', async () => {
  const headers = { 'X-API-Key': KEY };
  await sendRaw(server.port, requestText(server.port, 'POST', '/api/terminals', { headers }));
  await sendRaw(server.port, requestText(server.port, 'GET', `/healthz?key=${KEY}`, { headers }));
  expect(server.logLines.join('')).not.toContain(KEY);
  expect(server.logLines.join('')).toContain('"principal":"key');
});
