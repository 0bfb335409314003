/** Tests what a browser shows at an address of the API: pages, never JSON, and no data without a key. */
import { requestText, sendRaw } from './raw-request.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';
import { ROUTES } from '../../src/http/routes.js';

/** As Chromium sends them for an address that was typed. */
const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Upgrade-Insecure-Requests': '1',
  'Sec-Fetch-Site': 'none',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
};
const PAGE = 'text/html; charset=utf-8';

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer()));
afterEach(stopServers);

function open(target: string, headers: Record<string, string> = {}, method = 'GET', to = server) {
  return sendRaw(to.port, requestText(to.port, method, target, { headers: { ...NAVIGATION, ...headers } }));
}

it('opens the documentation without a key, and without a script', async () => {
  const { status, headers, text } = await open('/docs');
  expect([status, headers['content-type']]).toEqual([200, PAGE]);
  expect(text).toContain('<h1>tenacitty');
  expect(text).not.toContain('<script');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

it.each(['/llms.txt', '/openapi.json'])('%s, to which it links, opens as well', async (target) => {
  expect((await open(target)).status).toBe(200);
});

it.each(ROUTES.filter(({ method, asked }) => method === 'get' && asked !== 'docs').map(({ path }) => path))(
  'shows no data without a key, but a page that explains why: %s',
  async (path) => {
    const { status, headers, text } = await open(
      path.replace(':terminalId', 'abc').replace(':commandId', '1').replace(':signInId', '1'),
    );
    expect([status, headers['content-type']]).toEqual([401, PAGE]);
    expect(headers['www-authenticate']).toBe('Bearer realm="tenacitty"');
    for (const part of ['401 UNAUTHORIZED', 'no API key', 'href="/docs"']) expect(text).toContain(part);
  },
);

it('shows what it was given as text, not as markup', async () => {
  const { status, text } = await open('/<img/src=x>', { 'X-Forwarded-Host': 'x' });
  expect([status, text.includes('<img')]).toEqual([401, false]);
});

it.each([
  ['a DNS name of this address', { Host: 'evil.example' }, 403],
  ['a page of another origin', { Origin: 'https://evil.example' }, 401],
  ['a page without an origin', { Origin: 'null' }, 403],
  ['a proxy', { 'X-Forwarded-For': '203.0.113.7' }, 401],
  ['a wrong key', { 'X-API-Key': 'tnc_wrong' }, 401],
])('shows %s no page but the error', async (_who, headers, expected) => {
  for (const target of ['/docs', '/llms.txt', '/openapi.json']) {
    const { status, text } = await open(target, headers);
    expect([status, text.includes(`tenacitty: ${expected}`)]).toEqual([expected, true]);
  }
});

it('accepts a public path only in its exact spelling, and only for reading', async () => {
  const others = ['//', '/docs/', '/Docs', '/%64ocs', '/docs;x', '/docs/../api/terminals', '/./', '/.'];
  for (const target of others) expect([target, (await open(target)).status]).toEqual([target, 401]);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expect([method, (await open('/docs', {}, method)).status]).toEqual([method, 401]);
  }
});

it('needs a key for the documentation beyond this machine', async () => {
  const wide = await startServer({ http: { host: '0.0.0.0' } });
  expect((await open('/docs', {}, 'GET', wide)).status).toBe(401);
});

it('still answers programs in JSON', async () => {
  const wanted = [{ Accept: '*/*' }, { Accept: 'application/json, text/html' }];
  for (const headers of wanted) {
    const { status, text } = await open('/api/terminals', headers);
    expect([status, (JSON.parse(text) as { success: boolean }).success]).toEqual([401, false]);
  }
});

it('serves 60 pages a minute without a key, generated once, and no such limit for the server’s user', async () => {
  const own = () => fetch(`${server.url}/docs`);
  const statuses: number[] = [];
  for (let page = 0; page < 61; page++) statuses.push((await open('/docs')).status);
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
  expect((await open('/llms.txt')).headers['retry-after']).toMatch(/^\d+$/);
  const { handle } = ROUTES.find(({ path }) => path === '/openapi.json')!;
  const service = { version: '1', url: () => server.url, metrics: {} };
  const call = () => ({ service: { ...service } }) as unknown as Parameters<typeof handle>[0];
  expect(await handle(call())).toBe(await handle(call()));
  expect((await own()).status).toBe(200);
});
