/**
 * Tests many callers that have not passed the gate, and one with many connections that has: they do not lock out others,
 * and the former's connections are not kept open.
 */
import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createKey } from '../../src/access/key-file.js';
import { MAX_PER_MINUTE } from '../../src/access/rate-limits.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const CROWD = 2048;
/** The maximum number of their connections that stay open. */
const MAX_STRANGERS = 600;
/** The maximum number of connections of one principal. */
const MAX_OF_PRINCIPAL = 512;

let server: ServerUnderTest;
const crowd: Socket[] = [];
afterEach(async () => {
  for (const socket of crowd.splice(0)) socket.destroy();
  await stopServers();
});

async function open(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1').on('error', () => 'the server may reset it');
  crowd.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function openAll(): Promise<void> {
  for (let opened = 0; opened < CROWD; opened++) await open();
}

const left = () => crowd.filter((socket) => !socket.closed).length;

const statusesIn = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code);

async function status(sent: ReturnType<typeof plainRequest>): Promise<number | undefined> {
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
  await text(response);
  return response.statusCode;
}

it('are displaced by other unauthenticated connections, so that an authorized caller is admitted', async () => {
  server = await startServer();
  await openAll();
  for (let call = 0; call < 20; call++) {
    expect(await status(plainRequest(`${server.url}/healthz`, { agent: false }))).toBe(200);
    await open();
  }
  await eventually(() => left() <= MAX_STRANGERS);
});

it('displace no admitted connection, even an idle one', async () => {
  server = await startServer();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () => plainRequest(`${server.url}/healthz`, { agent });
  expect(await status(ask())).toBe(200);
  await openAll();
  await eventually(() => left() <= MAX_STRANGERS);
  const again = ask();
  expect([await status(again), again.reusedSocket]).toEqual([200, true]);
  agent.destroy();
});

it('get in although a key holds all the connections that it may, and it displaces only its own', async () => {
  server = await startServer();
  const asOne = `Authorization: Bearer ${createKey(server.dataDir, 'one').key}\r\n`;
  const begun = head('POST /api/terminals', `${json}${asOne}Expect: 100-continue\r\nContent-Length: 2\r\n`);
  for (let held = 0; held < MAX_OF_PRINCIPAL; held++) {
    const socket = await open();
    socket.write(begun);
    await once(socket, 'data');
  }
  const ask = async (more: string) => {
    const socket = await open();
    socket.write(head('GET /healthz', `${more}Connection: close\r\n`));
    return text(socket);
  };
  expect(await ask(asOne)).toMatch(/^HTTP\/1.1 409 [^]*\r\nRetry-After: 1\r\n[^]*MAX_CONNECTIONS/);
  const asOther = `Authorization: Bearer ${createKey(server.dataDir, 'other').key}\r\n`;
  for (const caller of ['', asOther]) expect(await ask(caller)).toMatch(/^HTTP\/1.1 200 /);
  const idle = crowd[7]!.resume();
  idle.write('{}');
  await eventually(async () => (await server.manager.list()).length === 1);
  await eventually(async () => (await ask(asOne)).startsWith('HTTP/1.1 200 '));
  await eventually(() => idle.closed);
}, 60_000); // As many connections.

it('are told that they are too slow, and closed after a refusal', async () => {
  server = await startServer({ gate: { trustLocal: false } });
  const [slow, refused] = [await open(), await open()];
  const [answer, refusal] = [text(slow), text(refused)];
  slow.write('GET /healthz HTTP/1.1\r\nHost: ');
  refused.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`);
  expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  expect(await refusal).toMatch(/^HTTP\/1.1 401 /);
});

const head = (start: string, more = '') => `${start} HTTP/1.1\r\nHost: localhost:${server.port}\r\n${more}\r\n`;
const json = 'Content-Type: application/json\r\n';
const chunked = (body: string) => [...body].map((each) => `1\r\n${each}\r\n`).join('') + '0\r\n\r\n';

it.each([
  ['GET', () => head('GET /healthz')],
  ['POST with a body', () => head('POST /nope', `Content-Length: 4\r\n`) + '\n\n\n\n'],
  ['POST with a body in chunks', () => head('POST /nope', 'Transfer-Encoding: chunked\r\n') + chunked('abc')],
])(
  'are closed after the answer to the first of a hundred requests that they send at once: %s',
  async (_what, request) => {
    server = await startServer({ gate: { trustLocal: false } });
    const socket = await open();
    const answers = text(socket);
    socket.write(request() + head('GET /healthz').repeat(99));
    expect(statusesIn(await answers)).toEqual(['401']);
    expect(server.logLines.filter((line) => line.includes('"status":401'))).toHaveLength(1);
  },
);

it.each([1, 7, 64 << 10])(
  'are admitted with their first valid request, and lose nothing sent %i at a time',
  async (size) => {
    server = await startServer();
    const id = await server.api.create({ command: '/bin/cat' });
    const socket = (await open()).setNoDelay(true);
    const answers = text(socket);
    const body = '{\n\n"input":\r\n\r\n"x"}';
    const input = (more: string) => head(`POST /api/terminals/${id}/input`, json + more);
    const four =
      `\r\n${input(`Content-Length: ${body.length}\r\n`)}${body}` +
      head('GET /healthz') +
      input('Transfer-Encoding: chunked\r\n') +
      chunked(body) +
      head('GET /nope');
    const sent = four.repeat(20) + head('GET /healthz', 'Connection: close\r\n');
    for (let at = 0; at < sent.length; at += size) {
      socket.write(sent.slice(at, at + size));
      await new Promise(setImmediate);
    }
    expect(statusesIn(await answers)).toEqual([...Array(20).fill(['200', '200', '200', '404']).flat(), '200']);
  },
);

it('are served each page that they request at once', async () => {
  server = await startServer({ gate: { trustLocal: false } });
  const socket = await open();
  const answers = text(socket);
  socket.write(head('GET /').repeat(5) + head('GET /', 'Connection: close\r\n'));
  expect(statusesIn(await answers)).toEqual(Array(6).fill('200'));
});

it('are closed after the answer that they exceed the limit', async () => {
  server = await startServer({ gate: { trustLocal: false } });
  const page = () => plainRequest(`${server.url}/docs`, { agent: false });
  for (let count = 0; count < MAX_PER_MINUTE.guests; count++) expect(await status(page())).toBe(200);
  const socket = await open();
  const answers = text(socket);
  socket.write(head('GET /docs').repeat(20));
  expect(statusesIn(await answers)).toEqual(['429']);
  expect(server.logLines.filter((line) => line.includes('"status":429'))).toHaveLength(1);
});

it('may send preflights up to a limit, and do not block others', async () => {
  server = await startServer();
  const socket = await open();
  let answers = '';
  socket.on('data', (bytes: Buffer) => (answers += bytes.toString()));
  const asked = 'Origin: https://a.example\r\nAccess-Control-Request-Method: PUT\r\n';
  socket.write(head('OPTIONS /healthz', asked).repeat(MAX_PER_MINUTE.preflights + 100));
  await once(socket, 'data');
  expect(await status(plainRequest(`${server.url}/healthz`, { agent: false }))).toBe(200);
  expect(statusesIn(answers).length).toBeLessThan(MAX_PER_MINUTE.preflights);
  await once(socket, 'close');
  expect(statusesIn(answers)).toEqual([...Array(MAX_PER_MINUTE.preflights).fill('204'), '429']);
  // Level 30 is info.
  expect(server.logLines.filter((line) => line.includes('"level":30') && line.includes('OPTIONS'))).toHaveLength(1);
});

it.each([
  ['what is no HTTP', () => 'hello\r\n\r\n'],
  ['CONNECT', () => head('CONNECT example.org:443')],
])('get no more than a hundred answers a second to %s', async (_what, bytes) => {
  server = await startServer();
  const sockets = await Promise.all(Array.from({ length: 400 }, open));
  const from = performance.now();
  const answers = sockets.map(async (socket) => {
    socket.write(bytes());
    return statusesIn(await text(socket).catch(() => ''));
  });
  const answered = (await Promise.all(answers)).filter(([code]) => code === '400' || code === '405').length;
  const seconds = Math.ceil((performance.now() - from) / 1000);
  expect(answered).toBeGreaterThanOrEqual(100);
  expect(answered).toBeLessThanOrEqual(100 * (seconds + 1));
});

it('keep their connection after an admitted request over TLS', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tenacitty-tls-'));
  const pem = (name: string) => join(directory, `${name}.pem`);
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', pem('key'), '-out', pem('cert')], {
    stdio: 'ignore',
  });
  const [cert, key] = [readFileSync(pem('cert')), readFileSync(pem('key'))];
  rmSync(directory, { recursive: true });
  server = await startServer({ http: { tls: { cert, key } } });
  const agent = new TlsAgent({ keepAlive: true, maxSockets: 1, ca: cert });
  expect(await status(tlsRequest(`${server.url}/healthz`, { agent }))).toBe(200);
  await openAll();
  await eventually(() => left() <= MAX_STRANGERS);
  const again = tlsRequest(`${server.url}/healthz`, { agent });
  expect([await status(again), again.reusedSocket]).toEqual([200, true]);
  agent.destroy();
});
