/**
 * Tests what the log contains about a request: the caller, the action, the address and the result; and what it never
 * contains.
 */
import { eventually } from '../eventually.js';
import { requestText, sendRaw } from './raw-request.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const PROXY = '127.0.0.1';
const CLIENT = '203.0.113.7';

let server: ServerUnderTest;
beforeEach(async () => {
  server = await startServer({ gate: { trustedProxies: [PROXY] } });
});
afterEach(stopServers);

interface Line {
  readonly level: number;
  readonly requestId: string;
  readonly path: string;
}
const INFO = 30;

async function lineFor(method: string, target: string, headers: Record<string, string> = {}) {
  const answer = await sendRaw(server.port, requestText(server.port, method, target, { headers }));
  return logged(String(answer.headers['x-request-id']));
}

/** The line is written after the answer is sent, which the caller may receive a moment earlier. */
function logged(requestId: string): Promise<Line> {
  const isMeant = (line: Line) => line.requestId === requestId && line.path !== undefined;
  return eventually(() => server.logLines.map((each) => JSON.parse(each) as Line).find(isMeant));
}

it('contains the terminal, the path without its query, the caller and its address', async () => {
  const id = await server.api.create();
  const line = await lineFor('GET', `/api/terminals/${id}/output?cursor=very-secret`);
  expect(line).toMatchObject({
    level: INFO,
    method: 'GET',
    route: '/api/terminals/:terminalId/output',
    path: `/api/terminals/${id}/output`,
    terminalId: id,
    principal: 'local',
    address: PROXY,
  });
  expect(server.logLines.join('')).not.toContain('very-secret');
});

it('contains the terminal that was created', async () => {
  const { headers, body } = await server.api.post('/api/terminals', {});
  const { terminalId } = (body as { data: { terminalId: string } }).data;
  expect(await logged(String(headers['x-request-id']))).toMatchObject({ path: '/api/terminals', terminalId });
});

it('contains the error of a failed request', async () => {
  expect(await lineFor('GET', '/api/terminals/nobody')).toMatchObject({ status: 404, code: 'TERMINAL_NOT_FOUND' });
});

it.each([
  [{ 'X-API-Key': 'tnc_wrong' }, 401, 'UNAUTHORIZED', 'its API key is not valid'],
  [{ 'X-Forwarded-For': CLIENT }, 401, 'UNAUTHORIZED', 'x-forwarded-for'],
  [{ Host: 'evil.example' }, 403, 'HOST_NOT_ALLOWED', 'evil.example'],
  [{ Origin: 'null' }, 403, 'ORIGIN_NOT_ALLOWED', 'origin'],
])('logs why the gate refused %j, and with the address', async (headers, status, code, reason) => {
  const line = await lineFor('GET', '/api/terminals?key=tnc_wrong', headers);
  expect(line).toMatchObject({
    status,
    code,
    path: '/api/terminals',
    reason: expect.stringContaining(reason) as unknown,
  });
  expect(server.logLines.join('')).not.toContain('tnc_wrong');
});

it('counts refusals of the gate by their code', async () => {
  await lineFor('GET', '/api/terminals', { 'X-API-Key': 'tnc_wrong' });
  await lineFor('GET', '/api/terminals', { Host: 'evil.example' });
  const { text } = await server.api.get('/metrics');
  expect(text).toContain('tenacitty_refused_requests_total{code="UNAUTHORIZED"} 1');
  expect(text).toContain('tenacitty_refused_requests_total{code="HOST_NOT_ALLOWED"} 1');
});

it('uses X-Forwarded-For of a trusted proxy, but no entries before it', async () => {
  const line = await lineFor('GET', '/api/terminals', { 'X-Forwarded-For': `198.51.100.1, ${CLIENT}` });
  expect(line).toMatchObject({ address: CLIENT, status: 401 });
});

it('ignores X-Forwarded-For if no proxy is trusted', async () => {
  const plain = await startServer();
  const bytes = requestText(plain.port, 'GET', '/api/terminals', { headers: { 'X-Forwarded-For': CLIENT } });
  await sendRaw(plain.port, bytes);
  await eventually(() => plain.logLines.join('').includes('"status":401'));
  expect(plain.logLines.join('')).toContain(`"address":"${PROXY}"`);
  expect(plain.logLines.join('')).not.toContain(CLIENT);
});

it('counts failed logins by the address behind a trusted proxy, so that one caller does not use up the limit of all', async () => {
  const wrong = (from: string) => lineFor('GET', '/api/me', { 'X-API-Key': 'tnc_wrong', 'X-Forwarded-For': from });
  for (let attempt = 0; attempt < 60; attempt++) await wrong(CLIENT);
  expect(await wrong(CLIENT)).toMatchObject({ status: 429, reason: 'its API key is not valid' });
  expect(await wrong('198.51.100.1')).toMatchObject({ status: 401 });
});

it('contains no successful reads at info if TENACITTY_LOG_READS is false, but refused ones', async () => {
  const quiet = await startServer({ http: { logReads: false } });
  await quiet.api.get('/healthz');
  await quiet.api.get('/api/terminals/nobody');
  await quiet.api.create();
  await eventually(() => quiet.logLines.join('').includes('"status":201'));
  const shown = quiet.logLines.map((each) => JSON.parse(each)).filter(({ level }) => level >= INFO);
  expect(shown.map(({ method, status }) => `${method} ${status}`)).toEqual(['GET 404', 'POST 201']);
});
