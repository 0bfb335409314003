/** Tests the gate over real sockets: which requests are accepted, which are rejected, and with what message. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces, userInfo } from 'node:os';
import { promisify } from 'node:util';
import { createGate } from '../../src/access/gate.js';
import type { GateOptions } from '../../src/access/gate.js';
import { createKey, hashKey, keyFilePath, revokeKey } from '../../src/access/key-file.js';
import { MAX_PER_MINUTE } from '../../src/access/rate-limits.js';
import { GatedServer, gateOptions } from './gated-server.js';
import { where, whereLinux, whereRoot } from '../where.js';

const run = promisify(execFile);
const { describe: onLinux } = whereLinux();
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const { it: withIpv6 } = where(hasIpv6, 'IPv6');
const { it: asRoot } = whereRoot();

const servers: GatedServer[] = [];
async function serve(options: Partial<GateOptions> = {}, listenOn?: string): Promise<GatedServer> {
  const server = new GatedServer(options, listenOn);
  servers.push(server);
  return server.listen();
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const REFUSED = { outcome: 'refused', code: 'UNAUTHORIZED' };

onLinux('local trust', () => {
  it('admits a process of the same user, as that user', async () => {
    const server = await serve();
    const { status, verdict } = await server.ask();
    expect(status).toBe(200);
    expect(verdict.principal).toEqual({ id: 'local', kind: 'local', name: userInfo().username, role: 'owner' });
  });

  it.each(['localhost', '127.0.0.1', 'LOCALHOST', '[::1]'])('accepts the Host %s', async (name) => {
    const server = await serve();
    expect((await server.ask([`Host: ${name}:${server.port}`])).verdict.outcome).toBe('admitted');
  });

  withIpv6('works over IPv6', async () => {
    const server = await serve({}, '::1');
    const { verdict } = await server.ask([`Host: [::1]:${server.port}`], 'GET / HTTP/1.1', '::1');
    expect(verdict.outcome).toBe('admitted');
  });

  withIpv6.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'works on a dual-stack server, reached as %s',
    async (address) => {
      const server = await serve({ trustLocal: true }, '::');
      expect((await server.ask([], 'GET / HTTP/1.1', address)).verdict.outcome).toBe('admitted');
    },
  );

  it('is determined once and then applies to all requests of a connection', async () => {
    const server = await serve();
    const socket = await server.connect();
    for (let request = 0; request < 3; request++) {
      expect((await server.askOn(socket)).verdict.outcome).toBe('admitted');
    }
    expect((await server.askOn(socket, ['Origin: https://a.example'])).verdict).toMatchObject(REFUSED);
    socket.destroy();
  });

  it('works for many connections at once', async () => {
    const server = await serve();
    const replies = await Promise.all(Array.from({ length: 50 }, () => server.ask()));
    expect(replies.filter(({ verdict }) => verdict.outcome !== 'admitted')).toEqual([]);
  });

  it('can be switched off', async () => {
    const server = await serve({ trustLocal: false });
    const { status, verdict, headers } = await server.ask();
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('Bearer');
    expect(verdict.message).toContain('TENACITTY_TRUST_LOCAL is false');
    expect(verdict.message).toContain('npm run key');
  });

  asRoot.each([12_345, 65_534])('is denied to a process of another user (uid %i)', async (uid) => {
    const server = await serve();
    const script = `fetch('http://localhost:${server.port}/').then(async (r) => console.log(r.status, await r.text()))`;
    const { stdout } = await run(process.execPath, ['-e', script], { uid, gid: uid, cwd: '/', env: {} });
    expect(stdout).toMatch(/^401 /);
    expect(stdout).toMatch(uid === 12_345 ? 'another user' : 'does not report which user');
  });

  asRoot('is denied to curl of another user, which is admitted with a key', async () => {
    const server = await serve();
    const { key } = createKey(server.dataDir, 'other user');
    const curl = (...args: string[]) =>
      run('curl', ['-s', ...args, `http://localhost:${server.port}/`], { uid: 12_345, gid: 12_345, cwd: '/' });
    expect((await curl()).stdout).toContain('UNAUTHORIZED');
    expect((await curl('-H', `X-API-Key: ${key}`)).stdout).toContain('admitted');
  });

  it('applies to Node’s own fetch and to curl', async () => {
    const server = await serve();
    const url = `http://127.0.0.1:${server.port}/`;
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200);
    expect((await run('curl', ['-s', url])).stdout).toContain('admitted');
  });

  it.each([
    'Origin: http://localhost:3000',
    'Sec-Fetch-Site: same-origin',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: empty',
    'Sec-CH-UA: "Chromium"',
    'Sec-GPC: 1',
    'Referer: http://localhost:3000/',
    'Cookie: a=b',
    'Upgrade-Insecure-Requests: 1',
  ])('is denied if a browser’s header is present: %s', async (header) => {
    const server = await serve();
    expect((await server.ask([header])).verdict).toMatchObject(REFUSED);
  });

  it('is denied to a page’s fetch, whose header must not be taken for Node’s', async () => {
    const server = await serve();
    const page = ['Sec-Fetch-Mode: cors', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: empty'];
    expect((await server.ask(page)).verdict).toMatchObject(REFUSED);
    expect((await server.ask(['Sec-Fetch-Mode: cors', 'Sec-Fetch-Mode: cors'])).verdict).toMatchObject(REFUSED);
    expect((await server.ask(['Sec-Fetch-Mode: cors'])).verdict.outcome).toBe('admitted');
  });

  it.each([
    'Forwarded: for=1.2.3.4',
    'Via: 1.1 proxy',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Proto: https',
    'X-Real-IP: 127.0.0.1',
    'CF-Connecting-IP: 1.2.3.4',
    'x-original-host: a.example',
    'Tailscale-User-Login: a@example.com',
    'X_Forwarded_For: 1.2.3.4',
    'X-Azure-Forwarded-Host: a.example',
    'WL-Proxy-Client-IP: 1.2.3.4',
    'X-ClientIP: 1.2.3.4',
    'CF-Ray: 230b030023ae2822-SJC',
    'X-Scheme: https',
    'X-ProxyUser-Ip: 1.2.3.4',
  ])('is denied if a proxy’s header is present: %s', async (header) => {
    const server = await serve();
    const { verdict } = await server.ask([header]);
    expect(verdict).toMatchObject(REFUSED);
    expect(verdict.message).toContain(`${header.split(':')[0]!.toLowerCase()}, which proxies send`);
  });

  it('is denied to the requests of hooks', async () => {
    const server = await serve();
    const { verdict } = await server.ask(['X-Tenacitty-Hook: 1']);
    expect(verdict).toMatchObject(REFUSED);
    expect(verdict.message).toContain('x-tenacitty-hook, which hooks send');
  });

  it('admits a WebSocket program, but not a page', async () => {
    const server = await serve();
    const upgrade = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGVuYWNpdHR5IHRlc3RzIQ=='];
    expect((await server.ask(upgrade)).verdict.outcome).toBe('admitted');
    expect((await server.ask([...upgrade, 'Origin: http://evil.example'])).verdict).toMatchObject(REFUSED);
  });

  it('is denied for a listed Host that is not a name of this machine', async () => {
    const server = await serve({ allowedHosts: ['term.example.com'] });
    const { verdict } = await server.ask(['Host: term.example.com']);
    expect(verdict).toMatchObject(REFUSED);
    expect(verdict.message).toContain('Host header');
  });
});

describe('the Host header', () => {
  it.each([
    ['another name, as after DNS rebinding', ['Host: evil.example:PORT']],
    ['a name that only starts like ours', ['Host: localhost.evil.example:PORT']],
    ['another port', ['Host: localhost:1']],
    ['no port', ['Host: localhost']],
    ['an empty one', ['Host: ']],
    ['a malformed one', ['Host: localhost:PORT@evil.example']],
    ['two', ['Host: localhost:PORT', 'Host: localhost:PORT']],
    ['an address that is not loopback', ['Host: 10.0.0.1:PORT']],
  ])('is refused with %s, even with a valid key', async (_what, headers) => {
    const server = await serve();
    const { key } = createKey(server.dataDir, 'k');
    const own = headers.map((header) => header.replaceAll('PORT', String(server.port)));
    const { status, verdict } = await server.ask([...own, `X-API-Key: ${key}`]);
    expect({ status, code: verdict.code }).toEqual({ status: 403, code: 'HOST_NOT_ALLOWED' });
  });

  it('is required', async () => {
    const server = await serve();
    const socket = await server.connect();
    expect((await server.askOn(socket, ['Host: none'], 'GET / HTTP/1.0')).verdict.code).toBe('HOST_NOT_ALLOWED');
  });

  it('cannot be overridden by a full URL', async () => {
    const server = await serve();
    expect((await server.ask([], 'GET http://evil.example/ HTTP/1.1')).verdict.code).toBe('HOST_NOT_ALLOWED');
    expect((await server.ask([], 'OPTIONS * HTTP/1.1')).verdict.code).toBe('HOST_NOT_ALLOWED');
  });

  it('may be one of TENACITTY_ALLOWED_HOSTS, with or without a port', async () => {
    const server = await serve({ allowedHosts: ['a.example', 'b.example:8443'] });
    const { key } = createKey(server.dataDir, 'k');
    const code = async (host: string) => (await server.ask([`Host: ${host}`, `X-API-Key: ${key}`])).verdict.code;
    expect(await code('A.example')).toBeUndefined();
    expect(await code('a.example:99')).toBeUndefined();
    expect(await code('b.example:8443')).toBeUndefined();
    expect(await code('b.example')).toBe('HOST_NOT_ALLOWED');
  });

  it('may be any name beyond loopback if none is listed, because a key is required there', async () => {
    const server = await serve({}, '0.0.0.0');
    const { key } = createKey(server.dataDir, 'k');
    expect((await server.ask(['Host: any.example', `X-API-Key: ${key}`])).verdict.outcome).toBe('admitted');
    expect((await server.ask(['Host: any.example'])).verdict).toMatchObject(REFUSED);
  });
});

describe('an API key', () => {
  it('is accepted as Bearer and as X-API-Key, or both if they are equal, and identifies its principal', async () => {
    const server = await serve({ trustLocal: false });
    const { key, stored } = createKey(server.dataDir, 'laptop');
    for (const headers of [
      [`Authorization: Bearer ${key}`],
      [`authorization: bearer ${key}`],
      [`X-API-Key: ${key}`],
      [`Authorization: Bearer ${key}`, `X-API-Key: ${key}`],
    ]) {
      const { verdict } = await server.ask(headers);
      expect(verdict.principal).toEqual({ id: `key:${stored.id}`, kind: 'key', name: 'laptop', role: 'owner' });
    }
  });

  it.each([
    ['wrong', ['X-API-Key: tnc_wrong']],
    ['empty', ['X-API-Key: ']],
    ['of another scheme', ['Authorization: Basic KEY']],
    ['two different ones', ['Authorization: Bearer KEY', 'X-API-Key: tnc_other']],
    ['two in two headers of one name', ['Authorization: Bearer KEY', 'Authorization: Bearer tnc_other']],
    ['cut short', ['X-API-Key: KE']],
  ])('is refused if %s, even from this machine, and the answer does not repeat it', async (_what, headers) => {
    const server = await serve();
    const { key } = createKey(server.dataDir, 'k');
    const sent = headers.map((header) => header.replace('KEY', key).replace('KE', key.slice(0, -1)));
    const { status, verdict } = await server.ask(sent);
    expect({ status, ...verdict }).toMatchObject({ status: 401, ...REFUSED });
    expect(verdict.message).not.toMatch(/tnc_|[0-9a-f]{64}/);
  });

  it('is never accepted in the URL', async () => {
    const server = await serve({ trustLocal: false });
    const { key } = createKey(server.dataDir, 'k');
    const line = `GET /?api_key=${key}&access_token=${key}&key=${key} HTTP/1.1`;
    expect((await server.ask([], line)).verdict).toMatchObject(REFUSED);
  });

  it('may be given as a hash in a setting', async () => {
    const key = 'a key of my own choosing-0123456789'.replaceAll(' ', '-');
    const hash = hashKey(key).toString('hex');
    const server = await serve({ trustLocal: false, apiKeyHashes: [hash] });
    // Not its place in the list: what belongs to a key must not pass to the one that replaces it.
    expect((await server.ask([`X-API-Key: ${key}`])).verdict.principal?.id).toBe(`key:setting-${hash.slice(0, 12)}`);
  });

  it('works immediately once created and is refused immediately once revoked, on an open connection', async () => {
    const server = await serve({ trustLocal: false });
    const socket = await server.connect();
    const { key, stored } = createKey(server.dataDir, 'k');
    const ask = async () => (await server.askOn(socket, [`X-API-Key: ${key}`])).verdict.outcome;
    expect(await ask()).toBe('admitted');
    expect(revokeKey(server.dataDir, stored.id)).toBe(true);
    expect(await ask()).toBe('refused');
    socket.destroy();
  });

  it('is refused, with the reason in the log, if the key file is damaged', async () => {
    const server = await serve({ trustLocal: false });
    const { key } = createKey(server.dataDir, 'k');
    const path = keyFilePath(server.dataDir);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -10));
    expect((await server.ask([`X-API-Key: ${key}`])).verdict).toMatchObject(REFUSED);
    expect(server.logged).toEqual([expect.stringContaining(path)]);
  });
});

describe('web pages', () => {
  const preflight = (origin: string) => [`Origin: ${origin}`, 'Access-Control-Request-Method: POST'];

  it('need an API key, and can read the error if they have none', async () => {
    const server = await serve();
    const { key } = createKey(server.dataDir, 'page');
    const without = await server.ask(['Origin: https://a.example']);
    expect(without.verdict).toMatchObject(REFUSED);
    expect(without.headers['access-control-allow-origin']).toBe('*');
    const withKey = await server.ask(['Origin: https://a.example', `Authorization: Bearer ${key}`]);
    expect(withKey.verdict.outcome).toBe('admitted');
  });

  it('have their preflights answered without a key, and never with credentials', async () => {
    const server = await serve();
    const { verdict, headers } = await server.ask(preflight('https://a.example'), 'OPTIONS / HTTP/1.1');
    expect(verdict.outcome).toBe('preflight');
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('DELETE'),
      'access-control-allow-headers': expect.stringMatching(/^Authorization, X-API-Key, Content-Type, .*Mcp-Method/),
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('are refused if their origin is not listed, with a key and in a preflight', async () => {
    const server = await serve({ corsOrigins: ['https://a.example'] });
    const { key } = createKey(server.dataDir, 'page');
    const listed = await server.ask(['Origin: https://a.example', `X-API-Key: ${key}`]);
    expect(listed.headers).toMatchObject({ 'access-control-allow-origin': 'https://a.example', vary: 'Origin' });
    for (const origin of [
      'https://b.example',
      'http://a.example',
      'https://a.example:8443',
      'https://a.example.evil',
    ]) {
      const { status, verdict, headers } = await server.ask([`Origin: ${origin}`, `X-API-Key: ${key}`]);
      expect({ status, code: verdict.code }).toEqual({ status: 403, code: 'ORIGIN_NOT_ALLOWED' });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect((await server.ask(preflight(origin), 'OPTIONS / HTTP/1.1')).verdict.code).toBe('ORIGIN_NOT_ALLOWED');
    }
  });

  it.each([['null'], ['https://a.example, https://b.example'], ['not an origin'], ['']])(
    'are refused with the origin "%s", whatever is allowed',
    async (origin) => {
      const server = await serve();
      expect((await server.ask([`Origin: ${origin}`])).verdict.code).toBe('ORIGIN_NOT_ALLOWED');
    },
  );

  it('are refused with two Origin headers', async () => {
    const server = await serve();
    const origins = ['Origin: https://a.example', 'Origin: https://a.example'];
    expect((await server.ask(origins)).verdict.code).toBe('ORIGIN_NOT_ALLOWED');
  });

  it('do not send OPTIONS requests without an Origin', async () => {
    const server = await serve({ trustLocal: false });
    const headers = ['Access-Control-Request-Method: POST'];
    expect((await server.ask(headers, 'OPTIONS / HTTP/1.1')).verdict).toMatchObject(REFUSED);
  });
});

describe('limits', () => {
  it('are applied to each caller by TENACITTY_RATE_LIMIT, report the remaining requests, and leave other callers alone', async () => {
    const server = await serve({ rateLimitPerMinute: 3, trustLocal: false });
    const [a, b] = [createKey(server.dataDir, 'a').key, createKey(server.dataDir, 'b').key];
    const remaining: (string | undefined)[] = [];
    for (let request = 0; request < 3; request++) {
      const { verdict, headers } = await server.ask([`X-API-Key: ${a}`]);
      expect(verdict.outcome).toBe('admitted');
      expect(headers['ratelimit-policy']).toBe('"requests";q=3;w=60');
      remaining.push(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    }
    expect(remaining).toEqual(['2', '1', '0']);
    const over = await server.ask([`X-API-Key: ${a}`]);
    expect(over.status).toBe(429);
    expect(over.verdict.code).toBe('RATE_LIMITED');
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    expect((await server.ask([`X-API-Key: ${b}`])).verdict.outcome).toBe('admitted');
  });

  it('slow down an address that keeps failing, but never refuse a valid key from it', async () => {
    const server = await serve({ trustLocal: false });
    const { key } = createKey(server.dataDir, 'k');
    const socket = await server.connect();
    const wrong = async () => (await server.askOn(socket, ['X-API-Key: tnc_guess'])).verdict.code;
    for (let failure = 0; failure < MAX_PER_MINUTE.failures; failure++) expect(await wrong()).toBe('UNAUTHORIZED');
    expect(await wrong()).toBe('RATE_LIMITED');
    expect((await server.askOn(socket, [`X-API-Key: ${key}`])).verdict.outcome).toBe('admitted');
    socket.destroy();
  });
});

describe('a fault in the gate', () => {
  it('leads to a refusal, not a rejection', async () => {
    const gate = createGate(gateOptions({ dataDir: '/nowhere' }));
    await expect(gate.admit({} as never)).resolves.toMatchObject({
      outcome: 'refused',
      error: { code: 'INTERNAL_ERROR' },
      headers: {},
    });
  });
});
