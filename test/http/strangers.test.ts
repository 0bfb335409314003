/** Callers that have not passed the gate, in numbers: they lock nobody out, and are not kept. */
import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MAX_GUESTS_PER_MINUTE } from '../../src/access/rate-limits.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const CROWD = 2048;
/** Those who are kept of them. */
const MAX_STRANGERS = 600;

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

it('are turned out by others like them, so that one who may is let in', async () => {
  server = await startServer();
  await openAll();
  for (let call = 0; call < 20; call++) {
    expect(await status(plainRequest(`${server.url}/healthz`, { agent: false }))).toBe(200);
    await open();
  }
  await eventually(() => left() <= MAX_STRANGERS);
});

it('displace no connection that was admitted, though it rests', async () => {
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

it('are told that they are too slow, and are not kept after they were refused', async () => {
  server = await startServer({ gate: { trustLocal: false } });
  const [slow, refused] = [await open(), await open()];
  const [answer, refusal] = [text(slow), text(refused)];
  slow.write('GET /healthz HTTP/1.1\r\nHost: ');
  refused.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`);
  expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  expect(await refusal).toMatch(/^HTTP\/1.1 401 /);
});

it.each([
  ['are cut off when they send a hundred requests at once', false],
  ['are none any more when a request was admitted: a hundred at once are answered', true],
])('%s', async (_who, isAdmitted) => {
  server = await startServer({ gate: { trustLocal: isAdmitted } });
  const socket = await open();
  const answers = text(socket);
  const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\n${more}\r\n`;
  socket.write(head('/healthz'));
  await once(socket, 'data');
  socket.write(head('/healthz').repeat(99) + head('/healthz', 'Connection: close\r\n'));
  // What is cut off may be reset.
  const count = statusesIn(await answers.catch(() => '')).length;
  if (isAdmitted) expect(count).toBe(101);
  else expect(count).toBeLessThan(101);
});

it('are left after the answer that says that they ask too often', async () => {
  server = await startServer({ gate: { trustLocal: false } });
  const page = () => plainRequest(`${server.url}/`, { agent: false });
  for (let count = 0; count < MAX_GUESTS_PER_MINUTE; count++) expect(await status(page())).toBe(200);
  const socket = await open();
  const answers = text(socket);
  socket.write(`GET / HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`.repeat(20));
  expect(statusesIn(await answers)).toEqual(['429']);
  expect(server.logLines.filter((line) => line.includes('"status":429'))).toHaveLength(1);
});

it('are no strangers any more when they are let in by TLS', async () => {
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
