/** Tests the page for passwords, with requests of a browser and of others. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SecretPages } from '../../src/mcp/secrets/page.js';
import type { PendingQuestion } from '../../src/mcp/secrets/page.js';
import { eventually } from '../eventually.js';

let pages: SecretPages;
let typed: string[];
let isAskedFor: boolean;
let asked: PendingQuestion;
beforeEach(async () => {
  pages = new SecretPages();
  [typed, isAskedFor] = [[], true];
  asked = await ask();
});
afterEach(() => pages.close());

function ask(): Promise<PendingQuestion> {
  const answer = (secret: string) => {
    if (isAskedFor) typed.push(secret);
    return Promise.resolve(isAskedFor);
  };
  return pages.ask({ text: 'sudo asks', answer });
}

/** Sends what a page of this origin would send; without additional headers, as its script does. */
async function post(path: string, body: string, headers: OutgoingHttpHeaders = {}, { url } = asked) {
  const { origin, hash } = new URL(url);
  return send(new URL(path, origin), 'POST', { Origin: origin, 'X-Ticket': hash.slice(1), ...headers }, body);
}

async function send(url: URL, method: string, headers: OutgoingHttpHeaders, body = '') {
  const sent = request(url, { method, headers, agent: false });
  sent.end(body);
  const [response] = await new Promise<[IncomingMessage]>((resolve, reject) => {
    sent.once('response', (got) => resolve([got])).once('error', reject);
  });
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

it('is a page that may load nothing, and does not contain the question', async () => {
  const page = await send(new URL(asked.url), 'GET', {});
  expect(page).toMatchObject({ status: 200, text: expect.not.stringContaining('sudo') });
  expect(page.headers).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-/,
    ),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
  });
});

it('listens on loopback only, with the ticket where no server and no log sees it', () => {
  expect(asked.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}$/);
});

it('names the program that asks, and accepts one answer', async () => {
  expect(await post('/question', '')).toMatchObject({ status: 200, text: 'sudo asks' });
  expect(await post('/answer', 'pass wörd')).toMatchObject({ status: 200 });
  expect([typed, await asked.outcome]).toEqual([['pass wörd'], true]);
  expect((await post('/answer', 'again')).status).toBe(403);
  expect(typed).toEqual(['pass wörd']);
});

it('is served to every requester, however many connections are idle', async () => {
  const crowd: Socket[] = [];
  for (let at = 0; at < 200; at++) {
    const socket = connect(Number(new URL(asked.url).port), '127.0.0.1').on('error', () => 'it may be reset');
    await once(socket, 'connect');
    crowd.push(socket);
  }
  expect(await post('/question', '')).toMatchObject({ status: 200, text: 'sudo asks' });
  expect((await post('/answer', 'through')).status).toBe(200);
  for (const socket of crowd) socket.destroy();
});

it('accepts an answer after an incomplete first attempt', async () => {
  const { host, origin, hash, port } = new URL(asked.url);
  const broken = connect(Number(port), '127.0.0.1');
  const head = [`Host: ${host}`, `Origin: ${origin}`, `X-Ticket: ${hash.slice(1)}`, 'Content-Length: 100', '', 'half'];
  broken.write(['POST /answer HTTP/1.1', ...head].join('\r\n'));
  // While it is being accepted, other callers get no information.
  await eventually(async () => (await post('/question', '')).status === 403);
  broken.destroy();
  await eventually(async () => (await post('/question', '')).status === 200);
  expect((await post('/answer', 'whole')).status).toBe(200);
  expect(typed).toEqual(['whole']);
});

it('accepts no second answer while another is being processed', async () => {
  const other = await ask();
  await post('/answer', 'one');
  expect((await post('/answer', 'two')).status).toBe(403);
  expect((await post('/answer', 'three', {}, other)).status).toBe(200);
  expect(typed).toEqual(['one', 'three']);
});

it.each([
  ['another origin', { Origin: 'https://evil.example' }],
  ['no origin', { Origin: undefined }],
  ['a DNS name of this address', { Host: 'evil.example' }],
  ['the name localhost', { Host: 'localhost' }],
  ['no ticket', { 'X-Ticket': undefined }],
  ['a wrong ticket', { 'X-Ticket': 'x'.repeat(43) }],
])('accepts nothing from %s', async (_who, given) => {
  const { origin, hash } = new URL(asked.url);
  const all: OutgoingHttpHeaders = { Origin: origin, 'X-Ticket': hash.slice(1), ...given };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  for (const path of ['/question', '/answer']) {
    const answer = await send(new URL(path, origin), 'POST', headers, 'secret');
    expect([answer.status, answer.text]).toEqual([403, 'Not allowed.']);
  }
  expect(typed).toEqual([]);
});

it.each([
  ['control characters', 'a\rb'],
  ['escape sequences', '\u001b[A'],
  ['too much', 'x'.repeat(1025)],
])('does not type %s', async (_what, secret) => {
  expect((await post('/answer', secret)).status).toBe(400);
  expect(typed).toEqual([]);
  expect((await post('/answer', 'right')).status).toBe(200);
});

it('types nothing if the program no longer asks, and reports it', async () => {
  isAskedFor = false;
  expect(await post('/answer', 'late')).toMatchObject({
    status: 410,
    text: expect.stringContaining('Nothing was typed'),
  });
  expect([typed, await asked.outcome]).toEqual([[], false]);
});

it.each(['/', '/answer', '/question', '/favicon.ico', '/../etc/passwd'])('serves nothing at %s', async (path) => {
  const { origin } = new URL(asked.url);
  const method = path === '/' ? 'POST' : 'GET';
  expect((await send(new URL(path, origin), method, {})).status).toBe(404);
});

it('keeps its port while there is no question, so that an old link leads to no other program', async () => {
  const brief = new SecretPages({ lifetimeMs: 1 });
  const late = await brief.ask({ text: '', answer: () => Promise.resolve(true) });
  expect(await late.outcome).toBe(false);
  expect((await send(new URL(late.url), 'GET', {})).status).toBe(200);
  expect((await post('/answer', 'late', {}, late)).status).toBe(403);
  const next = await brief.ask({ text: '', answer: () => Promise.resolve(true) });
  expect(new URL(next.url).host).toBe(new URL(late.url).host);
  brief.close();
  await expect(send(new URL(late.url), 'GET', {})).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
});
