/** Tests sockets: the listening address, TLS, keep-alive, slow callers, and stopping. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as plainRequest, Agent, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startServer, stopServers } from './server-under-test.js';
import { eventually } from '../eventually.js';
import { where } from '../where.js';

const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
const { it: hasIpv6 } = where(addresses.includes('::1'), 'the address ::1');

afterEach(stopServers);

it('refuses a port in use, with the system’s error', async () => {
  const first = await startServer();
  await expect(startServer({ http: { port: first.port } })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('returns an address that reaches it, wherever it listens', async () => {
  const everywhere = await startServer({ http: { host: '0.0.0.0' } });
  // Another user may listen at the other address of `localhost`.
  expect(everywhere.url).toBe(`http://127.0.0.1:${everywhere.port}`);
});

hasIpv6('listens at both addresses of localhost, so that no other program receives what is meant for it', async () => {
  const server = await startServer();
  const [answer] = (await once(plainRequest(`http://[::1]:${server.port}/healthz`).end(), 'response')) as [
    IncomingMessage,
  ];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  await server.close();
  const [error] = (await once(connect(server.port, '::1'), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});

describe('close', () => {
  it('can be called twice, and leaves nothing listening', async () => {
    const server = await startServer();
    await Promise.all([server.close(), server.close()]);
    const socket = connect(server.port, '127.0.0.1');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('does not wait for callers that keep their connection or never finish their request', async () => {
    const server = await startServer();
    const agent = new Agent({ keepAlive: true });
    const [response] = (await once(plainRequest(`${server.url}/healthz`, { agent }).end(), 'response')) as [
      IncomingMessage,
    ];
    await text(response);
    const slow = connect(server.port, '127.0.0.1').on('error', () => 'the server may reset it');
    slow.write('GET /healthz HTTP/1.1\r\nHost: ');
    await once(slow, 'ready');
    await server.close();
    agent.destroy();
    slow.destroy();
  });

  it('answers requests in progress and then closes their connections', async () => {
    const server = await startServer();
    const id = await server.api.run('cat');
    const socket = connect(server.port, '127.0.0.1');
    const answer = text(socket);
    socket.write(`GET /api/terminals/${id}/output?timeoutMs=100000 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
    await eventually(async () => (await server.manager.summary()).waitingReads === 1);
    await server.close();
    expect(await answer).toMatch(/^HTTP\/1.1 200 [^]*connection: close/i);
  });

  it('leaves the terminals alone', async () => {
    const server = await startServer();
    const id = await server.api.run('cat');
    await server.close();
    expect(await server.manager.get(id)).toMatchObject({ status: 'active' });
  });
});

it('handles two requests of one connection in order', async () => {
  const server = await startServer();
  const socket = connect(server.port, '127.0.0.1');
  const answers = text(socket);
  const head = `HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`;
  socket.write(`GET /no/such ${head}\r\nGET /healthz ${head}Connection: close\r\n\r\n`);
  expect(await answers).toMatch(/^HTTP\/1.1 404 [^]*HTTP\/1.1 200 /);
});

it('handles the requests of one connection one at a time, however many are sent ahead', async () => {
  const server = await startServer();
  const id = await server.api.run('cat');
  const socket = connect(server.port, '127.0.0.1');
  const answers = text(socket);
  const host = `Host: 127.0.0.1:${server.port}\r\n`;
  const read = `GET /api/terminals/${id}/output?timeoutMs=100000 HTTP/1.1\r\n${host}\r\n`;
  const others = Array.from({ length: 300 }, (_, n) => `GET /no/such/${n} HTTP/1.1\r\n${host}\r\n`);
  socket.write(read);
  await eventually(async () => (await server.manager.summary()).waitingReads === 1);
  // After it was admitted.
  socket.write(others.join('') + `GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  expect((await server.api.get('/healthz')).status).toBe(200);
  expect(server.logLines.join('')).not.toContain('unmatched');
  await server.api.type(id, 'one');
  const paths = [...(await answers).matchAll(/\/no\/such\/(\d+)/g)].map(([, n]) => Number(n));
  expect([...new Set(paths)]).toEqual(others.map((_, n) => n));
});

it('ends a connection that sends without end and reads no answer', async () => {
  const server = await startServer();
  const id = await server.api.run('cat');
  const socket = connect(server.port, '127.0.0.1').on('error', () => 'the server may reset it');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const host = `Host: 127.0.0.1:${server.port}\r\n`;
  socket.write(`GET /api/terminals/${id}/output?timeoutMs=100000 HTTP/1.1\r\n${host}\r\n`);
  socket.write(`GET /healthz HTTP/1.1\r\n${host}\r\n`.repeat(2000));
  await closed;
  expect((await server.api.get('/healthz')).status).toBe(200);
});

describe('with a certificate', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'tenacitty-tls-'));
    const files = ['-keyout', join(directory, 'key.pem'), '-out', join(directory, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' });
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  const pem = (name: string) => readFileSync(join(directory, `${name}.pem`));

  it('serves HTTPS, and sends HSTS to browsers', async () => {
    const server = await startServer({ http: { tls: { cert: pem('cert'), key: pem('key') } } });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    const request = tlsRequest(`${server.url}/healthz`, { ca: pem('cert'), agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect([response.statusCode, JSON.parse(await text(response)).success]).toEqual([200, true]);
    expect(response.headers['strict-transport-security']).toMatch(/^max-age=/);
  });

  it('survives a caller that uses plain HTTP', async () => {
    const server = await startServer({ http: { tls: { cert: pem('cert'), key: pem('key') } } });
    const socket = connect(server.port, '127.0.0.1').on('error', () => 'the server may reset it');
    socket.write('GET /healthz HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
    const request = tlsRequest(`${server.url}/healthz`, { ca: pem('cert'), agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  it('refuses an invalid certificate', async () => {
    await expect(startServer({ http: { tls: { cert: 'no', key: 'no' } } })).rejects.toThrow();
  });
});
