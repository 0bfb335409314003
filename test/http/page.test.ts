/** Tests what a browser gets for the page's addresses: the same files for everyone, with a strict policy. */
import { requestText, sendRaw } from './raw-request.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'Sec-Fetch-Site': 'none',
  'Sec-Fetch-Mode': 'navigate',
};

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer()));
afterEach(stopServers);

const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRaw(server.port, requestText(server.port, method, path, { headers: { ...NAVIGATION, ...headers } }));

it.each(['/', '/?state=waiting', '/terminals/abc', '/terminals/abc/history', '/search', '/access', '/answer'])(
  '%s is the page, without a key',
  async (path) => {
    const { status, headers, text } = await open(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<div id="page">');
    expect(headers['cache-control']).toBe('no-store');
  },
);

it('says without scripts how to sign in', async () => {
  expect((await open('/')).text).toMatch(/<noscript[^]*tenacitty open[^]*<\/noscript/);
});

it('has a policy that allows only its own files', async () => {
  const { headers, text } = await open('/');
  const policy = String(headers['content-security-policy']);
  for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(part);
  expect(policy).not.toContain('unsafe');
  expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
  expect(headers['permissions-policy']).toContain('camera=()');
  expect(headers['x-frame-options']).toBe('DENY');
});

it('serves its files compressed, to be kept forever', async () => {
  const paths = [...(await open('/')).text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThanOrEqual(3);
  for (const path of paths) {
    const [plain, ...packed] = await Promise.all(
      ['identity', 'gzip', 'gzip, deflate, br'].map((encoding) =>
        fetch(server.url + path, { headers: { 'Accept-Encoding': encoding } }),
      ),
    );
    const bytes = Buffer.from(await plain!.arrayBuffer());
    for (const answer of packed) expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    expect(packed.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'br']);
    expect(plain!.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain!.headers.get('vary')).toBe('Accept-Encoding');
  }
});

it('is at most 80 KB compressed when it is opened', async () => {
  const { text } = await open('/');
  const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  const sizes = await Promise.all(
    paths.map(async (path) =>
      Number(
        (await fetch(server.url + path, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } })).headers.get(
          'content-length',
        ),
      ),
    ),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000);
});

it.each([
  '/assets/../index.html',
  '/assets/%2e%2e/index.html',
  '/assets/',
  '/assets/none.js',
  '/.built',
  '/index.html',
  '/terminals/a/b/c',
  '/terminals',
])('%s is no file of it', async (path) => expect((await open(path)).status).toBe(401));

it('is for reading, for browsers, and not for pages elsewhere', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await open('/', {}, method)).status).toBe(401);
  expect((await open('/', { Host: 'evil.example' })).status).toBe(403);
  expect((await open('/', { Origin: 'https://evil.example' })).status).toBe(401);
  expect((await open('/search', { Accept: 'application/json' })).status).toBe(401);
});

it('can be opened from other machines and through a proxy, to sign in there', async () => {
  server = await startServer({ http: { host: '0.0.0.0' } });
  expect((await open('/', { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(200);
  expect((await open('/docs')).status).toBe(401);
});

it('says what to do if it is not built', async () => {
  server = await startServer({ http: { pageDir: '/dev/null/page' } });
  expect((await open('/')).text).toContain('The page is not built');
});
