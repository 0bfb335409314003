/** Tests signing in on the page: who is admitted with a cookie and a proof, and what everyone else meets. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, revokeKey } from '../../src/access/key-file.js';
import { createCode } from '../../src/access/sign-in-codes.js';
import { MAX_SIGN_INS } from '../../src/access/sign-in-files.js';
import { eventually } from '../eventually.js';
import { LiveClient } from './live-client.js';
import { exchange, PageClient, send } from './page-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const NOT_VALID = 'That code is no longer valid. A code works once and expires soon.';
const DAY_MS = 86_400_000;

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer()));
afterEach(stopServers);

const newCode = (validMs = 60_000) => createCode(server.dataDir, validMs);
const messageIn = (text: string) => (JSON.parse(text) as { error: { message: string } }).error.message;
const filesIn = (folder: string) =>
  readdirSync(join(server.dataDir, folder)).map((name) => join(server.dataDir, folder, name));

describe('signing in', () => {
  it('exchanges a code for a cookie that scripts cannot read, and a proof', async () => {
    const { status, headers, text } = await exchange(server.url, { code: newCode() });
    const { proof } = (JSON.parse(text) as { data: { proof: string } }).data;
    expect([status, proof]).toEqual([201, expect.stringMatching(/^[\w-]{43}$/)]);
    const [pair, ...rest] = headers.get('set-cookie')!.split('; ');
    expect(pair).toMatch(new RegExp(`^tenacitty-${server.port}=[\\w-]{43}$`));
    expect(rest).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=2592000']);
    expect(pair).not.toContain(proof);
  });

  it('admits with both, as the server’s user', async () => {
    const page = await PageClient.signIn(server);
    expect(await page.data('GET', '/api/me')).toMatchObject({
      role: 'owner',
      signInId: expect.stringMatching(/^\w{10}$/) as string,
    });
    expect((await page.ask('POST', '/api/terminals', {})).status).toBe(201);
  });

  it('accepts a code as a person types it', async () => {
    const code = newCode().toLowerCase().replace('-', ' ');
    expect((await exchange(server.url, { code })).status).toBe(201);
  });

  it('admits with a key, with its name and only as long as it is valid', async () => {
    const { key, stored } = createKey(server.dataDir, 'laptop');
    const page = await PageClient.signIn(server, { key });
    expect(await page.data('GET', '/api/me')).toMatchObject({ name: 'laptop' });
    revokeKey(server.dataDir, stored.id);
    expect((await page.ask('GET', '/api/me')).status).toBe(401);
    expect((await exchange(server.url, { key })).status).toBe(401);
  });

  it('admits one of two that use a code at once', async () => {
    const code = newCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(server.url, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(401)]);
    for (const { status, text } of answers) if (status === 401) expect(messageIn(text)).toBe(NOT_VALID);
  });

  it('answers an old, a used and a wrong code alike', async () => {
    const used = newCode();
    await exchange(server.url, { code: used });
    for (const code of [newCode(-1), used, 'AAAA-AAAA', '../../keys.json', 'x']) {
      const { status, text, headers } = await exchange(server.url, { code });
      expect([status, messageIn(text), headers.get('set-cookie')]).toEqual([401, NOT_VALID, null]);
    }
  });

  it('limits codes of one address, right ones too, so that trying finds none', async () => {
    for (let tried = 0; tried < 20; tried++)
      expect((await exchange(server.url, { code: 'AAAA-AAAA' })).status).toBe(401);
    const { status, headers } = await exchange(server.url, { code: newCode() });
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await exchange(server.url, { key: createKey(server.dataDir, 'one').key })).status).toBe(201);
  });

  it('by key is possible even if somebody on this machine has requested too many files of the page', async () => {
    let status = 200;
    for (let count = 0; count < 700 && status !== 429; count++) {
      const answer = await fetch(server.url);
      await answer.text();
      status = answer.status;
    }
    expect(status).toBe(429);
    expect((await exchange(server.url, { key: createKey(server.dataDir, 'one').key })).status).toBe(201);
  });

  it.each([
    ['no origin', {}],
    ['another port', { Origin: 'http://127.0.0.1:4000' }],
    ['another name of this machine', (url: string) => ({ Origin: url.replace('127.0.0.1', 'localhost') })],
    ['another scheme', (url: string) => ({ Origin: url.replace('http', 'ftp') })],
  ])('is only for its own page: %s', async (_who, headers) => {
    const given = typeof headers === 'function' ? headers(server.url) : headers;
    const code = newCode();
    expect((await exchange(server.url, { code }, given)).status).toBe(401);
    expect((await exchange(server.url, { code })).status).toBe(201);
  });

  it('is possible although pages of other origins are listed', async () => {
    server = await startServer({ gate: { corsOrigins: ['https://app.example'] } });
    const page = await PageClient.signIn(server);
    expect((await page.ask('POST', '/api/terminals', {})).status).toBe(201);
  });
});

describe('a request', () => {
  let page: PageClient;
  beforeEach(async () => (page = await PageClient.signIn(server)));

  it.each([
    ['the cookie without the proof', ['X-Tenacitty-Proof'], {}],
    ['the proof without the cookie', ['Cookie'], {}],
    ['both from a page on another port', ['Origin'], { Origin: 'http://127.0.0.1:4000' }],
    ['both from a page of another name of this machine', ['Origin'], { Origin: 'http://localhost:1' }],
    ['both from a site beside it', ['Sec-Fetch-Site', 'Origin'], { 'Sec-Fetch-Site': 'same-site' }],
    ['a wrong proof', [], { 'X-Tenacitty-Proof': 'x'.repeat(43) }],
    ['a wrong key as well', [], { 'X-API-Key': 'tnc_wrong' }],
  ])('with %s is refused', async (_what, less, more) => {
    for (const [method, path] of [
      ['GET', '/api/terminals'],
      ['POST', '/api/terminals'],
    ] as const) {
      expect([method, await page.status(method, path, less, more)]).toEqual([method, 401]);
    }
    expect(await server.manager.summary()).toMatchObject({ createdTotal: 0 });
  });

  it('that changes something is refused without its Origin', async () => {
    expect(await page.status('POST', '/api/terminals', ['Origin'])).toBe(401);
    expect(await page.status('GET', '/api/terminals', ['Sec-Fetch-Site'])).toBe(200);
  });

  it('with the proof of another sign-in is refused', async () => {
    const { proof } = await PageClient.signIn(server);
    expect(await page.status('GET', '/api/me', [], { 'X-Tenacitty-Proof': proof })).toBe(401);
    expect(await page.status('GET', '/api/me', [], { 'X-Tenacitty-Proof': `${page.proof}, ${proof}` })).toBe(401);
  });

  it('is not hindered by a cookie that another server of this host has set', async () => {
    const Cookie = `tenacitty-${server.port}=junk; ${page.cookie}; tenacitty-4000=other`;
    expect(await page.status('GET', '/api/me', [], { Cookie })).toBe(200);
  });

  it('shows the page and the documentation with the cookie alone, which contain no data', async () => {
    for (const path of ['/', '/docs']) expect(await page.status('GET', path, ['X-Tenacitty-Proof'])).toBe(200);
  });
});

describe('a live connection', () => {
  let page: PageClient;
  let id: string;
  beforeEach(async () => {
    page = await PageClient.signIn(server);
    id = await server.api.run('echo begun; exec cat');
  });

  const options = (headers: Record<string, string>, protocol: string[]) => ({ headers, protocol });

  it('opens with the cookie, the proof among its subprotocols, and the Origin', async () => {
    const client = await LiveClient.open(
      server.url,
      id,
      options({ Cookie: page.cookie, Origin: server.url }, page.protocols),
    );
    expect(client.socket.protocol).toBe('tenacitty.v1');
    client.socket.terminate();
  });

  it.each([
    ['without the proof', (own: PageClient) => options({ Cookie: own.cookie, Origin: own.url }, ['tenacitty.v1'])],
    ['without the cookie', (own: PageClient) => options({ Origin: own.url }, own.protocols)],
    ['without the Origin', (own: PageClient) => options({ Cookie: own.cookie }, own.protocols)],
    [
      'from another port',
      (own: PageClient) => options({ Cookie: own.cookie, Origin: 'http://127.0.0.1:4' }, own.protocols),
    ],
  ])('is refused %s', async (_what, given) => {
    expect(await LiveClient.refusal(server.url, id, given(page))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('ends within a second of its sign-in, and those of no other', async () => {
    const other = await PageClient.signIn(server);
    const open = (own: PageClient) =>
      LiveClient.open(server.url, id, options({ Cookie: own.cookie, Origin: own.url }, own.protocols));
    const [mine, kept] = [await open(page), await open(other)];
    const { signInId } = await page.data<{ signInId: string }>('GET', '/api/me');
    const events = fetch(`${server.url}/api/events`, { headers: page.headers() }).then((answer) => answer.text());
    const ended = events.catch(() => 'cut off');
    const begunMs = performance.now();
    expect((await other.ask('DELETE', `/api/sign-ins/${signInId}`)).status).toBe(200);
    await mine.closing();
    expect([await ended, performance.now() - begunMs < 3000]).toEqual(['cut off', true]);
    expect((await page.ask('GET', '/api/me')).status).toBe(401);
    expect([kept.closed, (await other.ask('GET', '/api/me')).status]).toEqual([null, 200]);
    kept.socket.terminate();
  });
});

describe('sign-ins', () => {
  it('are listed and ended; a caller that may not manage sees only its own', async () => {
    const page = await PageClient.signIn(server);
    const { key } = createKey(server.dataDir, 'laptop');
    const byKey = await PageClient.signIn(server, { key });
    type List = { signIns: { name: string; isCurrent: boolean; id: string }[] };
    const { signIns } = await page.data<List>('GET', '/api/sign-ins');
    expect(signIns.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    const viewing = await startServer({ role: 'viewer' });
    const viewer = await PageClient.signIn(viewing, { key: createKey(viewing.dataDir, 'v').key });
    await PageClient.signIn(viewing);
    expect((await viewer.data<List>('GET', '/api/sign-ins')).signIns).toMatchObject([{ name: 'v', isCurrent: true }]);
    expect((await byKey.ask('DELETE', '/api/sign-ins/0123456789')).status).toBe(404);
    expect((await byKey.ask('DELETE', `/api/sign-ins/${signIns[1]!.id}`)).status).toBe(200);
    expect((await byKey.ask('GET', '/api/me')).status).toBe(401);
  });

  it('are ended by signing out, which also deletes the cookie', async () => {
    const [page, other] = [await PageClient.signIn(server), await PageClient.signIn(server)];
    const idOf = async (own: PageClient) => (await own.data<{ signInId: string }>('GET', '/api/me')).signInId;
    const [own, foreign] = [await idOf(page), await idOf(other)];
    const remote = await page.ask('DELETE', `/api/sign-ins/${foreign}`);
    expect([remote.status, remote.headers.get('set-cookie')]).toEqual([200, null]);
    expect((await other.ask('GET', '/api/me')).status).toBe(401);
    const { headers } = await page.ask('DELETE', `/api/sign-ins/${own}`);
    expect(headers.getSetCookie()).toContain(`tenacitty-${server.port}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`);
    // Even if the browser kept the cookie.
    expect((await page.ask('GET', '/api/me')).status).toBe(401);
    expect(filesIn('sign-ins')).toEqual([]);
  });

  it('are all ended by signing out everywhere, but for those of other accounts', async () => {
    const [page, other] = [await PageClient.signIn(server), await PageClient.signIn(server)];
    const byKey = await PageClient.signIn(server, { key: createKey(server.dataDir, 'laptop').key });
    const { status, headers } = await page.ask('DELETE', '/api/sign-ins');
    expect([status, headers.getSetCookie().length]).toEqual([200, 2]);
    for (const ended of [page, other]) expect((await ended.ask('GET', '/api/me')).status).toBe(401);
    expect((await byKey.ask('GET', '/api/me')).status).toBe(200);
  });

  it('are kept as hashes that only the user can read', async () => {
    const page = await PageClient.signIn(server);
    const [path] = filesIn('sign-ins');
    expect(statSync(path!).mode & 0o777).toBe(0o600);
    const kept = path! + readFileSync(path!, 'utf8') + filesIn('sign-in-codes').join('') + server.logLines.join('');
    for (const secret of [page.proof, page.cookie.split('=')[1]!]) expect(kept).not.toContain(secret);
  });

  it('end after a week without use', async () => {
    const page = await PageClient.signIn(server);
    const [path] = filesIn('sign-ins');
    const before = new Date(Date.now() - 8 * DAY_MS);
    utimesSync(path!, before, before);
    expect((await page.ask('GET', '/api/me')).status).toBe(401);
  });

  it('end after thirty days, however often they are used', async () => {
    const page = await PageClient.signIn(server);
    const [path] = filesIn('sign-ins');
    const long = new Date(Date.now() - 31 * DAY_MS).toISOString();
    execFileSync('sed', ['-i', `s/"created":"[^"]*"/"created":"${long}"/`, path!]);
    expect((await page.ask('GET', '/api/me')).status).toBe(401);
  });

  it('are not accepted from a folder that others may write to; the server goes on, and ends what is open', async () => {
    const page = await PageClient.signIn(server);
    const events = fetch(`${server.url}/api/events`, { headers: page.headers() }).then((answer) => answer.text());
    const ended = events.catch(() => 'cut off');
    expect((await page.ask('GET', '/api/me')).status).toBe(200);
    execFileSync('chmod', ['777', join(server.dataDir, 'sign-ins')]);
    expect((await page.ask('GET', '/api/me')).status).not.toBe(200);
    expect(await ended).toBe('cut off');
    execFileSync('chmod', ['700', join(server.dataDir, 'sign-ins')]);
    expect((await page.ask('GET', '/api/me')).status).toBe(200);
  });

  it('of one key are limited, and end those of nobody else', async () => {
    const page = await PageClient.signIn(server);
    const { key } = createKey(server.dataDir, 'laptop');
    const first = await PageClient.signIn(server, { key });
    for (let more = 0; more < MAX_SIGN_INS; more++) await PageClient.signIn(server, { key });
    expect([(await first.ask('GET', '/api/me')).status, (await page.ask('GET', '/api/me')).status]).toEqual([401, 200]);
  });

  it('of one key share its limit of requests', async () => {
    const limited = await startServer({ gate: { rateLimitPerMinute: 6 } });
    const { key } = createKey(limited.dataDir, 'laptop');
    // Signing in with a key counts too.
    const pages = [await PageClient.signIn(limited, { key }), await PageClient.signIn(limited, { key })];
    const statuses: number[] = [];
    for (const page of [...pages, ...pages, ...pages]) statuses.push((await page.ask('GET', '/api/me')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('are not looked for in more than a few cookies, nor in what is no cookie of ours', async () => {
    const page = await PageClient.signIn(server);
    const name = page.cookie.split('=')[0]!;
    const among = (others: string[]) => ({
      Cookie: [...others.map((value) => `${name}=${value}`), page.cookie].join(';'),
    });
    const other = 'a'.repeat(43);
    expect(await page.status('GET', '/api/me', ['Cookie'], among(Array<string>(100).fill('')))).toBe(200);
    expect(await page.status('GET', '/api/me', ['Cookie'], among(Array<string>(3).fill(other)))).toBe(200);
    expect(await page.status('GET', '/api/me', ['Cookie'], among(Array<string>(4).fill(other)))).toBe(401);
  });

  it('that are refused close their connection', async () => {
    const { status, headers } = await exchange(server.url, { code: 'AAAA-AAAA' });
    expect([status, headers.get('connection')]).toEqual([401, 'close']);
  });
});

describe('a download', () => {
  let page: PageClient;
  let id: string;
  beforeEach(async () => {
    page = await PageClient.signIn(server);
    id = await server.api.run(
      `i=0; while [ $i -lt 30 ]; do echo "line $i"; i=$((i+1)); done; printf '\\033[31mred\\033[m'`,
    );
    await eventually(async () => (await server.manager.get(id)).status === 'exited');
  });

  const ticketFor = async (format: string) =>
    (await page.data<{ ticket: string }>('POST', '/api/download-tickets', { terminalId: id, format })).ticket;
  const form = (own: PageClient, ticket: string, headers: Record<string, string> = {}) =>
    send(`${own.url}/api/downloads`, 'POST', { Cookie: own.cookie, Origin: own.url, ...headers }, `ticket=${ticket}`);

  it('has all of the output, as a file', async () => {
    const { status, text, headers } = await form(page, await ticketFor('text'));
    const expected = [...Array.from({ length: 30 }, (_, at) => `line ${at}`), 'red', ''].join('\n');
    expect([status, text]).toEqual([200, expected]);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="terminal-${id.slice(0, 8)}.txt"`);
    expect((await form(page, await ticketFor('ansi'))).text).toContain('\x1b[31mred');
    expect((await form(page, await ticketFor('raw'))).text).toContain('line 0\r\nline 1\r\n');
  });

  it('works once', async () => {
    const ticket = await ticketFor('text');
    const statuses = await Promise.all([1, 2].map(async () => (await form(page, ticket)).status));
    expect(statuses.sort()).toEqual([200, 401]);
  });

  it('is refused to another sign-in, to another origin, and without the cookie', async () => {
    const other = await PageClient.signIn(server);
    expect((await form(other, await ticketFor('text'))).status).toBe(401);
    const ticket = await ticketFor('text');
    expect((await form(page, ticket, { Origin: 'http://127.0.0.1:4000' })).status).toBe(401);
    expect((await form(page, ticket, { Cookie: '' })).status).toBe(401);
    expect((await form(page, ticket)).status).toBe(200);
    expect((await form(page, 'no-such-ticket')).status).toBe(401);
  });
});
