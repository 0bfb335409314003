/** Tests faults of the server itself, and callers that disconnect: no other caller is affected. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import supertest from 'supertest';
import { z } from 'zod';
import { createApp } from '../../src/http/app.js';
import { DownloadTickets } from '../../src/http/download-tickets.js';
import { LinkAnswers } from '../../src/http/link-answers.js';
import { Metrics } from '../../src/http/metrics.js';
import { route, type Route } from '../../src/http/route.js';
import { checkError } from './documented.js';
import { jsonRequest, requestText, sendRaw } from './raw-request.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';
import { eventually } from '../eventually.js';

const ERROR_LEVEL = 50;

let server: ServerUnderTest;
beforeEach(async () => void (server = await startServer()));
afterEach(stopServers);

const logged = () => server.logLines.map((line) => JSON.parse(line));

/** A route with a handler that fails. */
const broken = (handle: Route['handle']): Route => ({
  ...route({
    method: 'get',
    path: '/broken',
    name: 'breakDown',
    tag: 'Service',
    summary: 'Break down',
    description: 'Has a fault.',
    answer: z.unknown(),
    example: { answer: null },
    handle: () => null,
  }),
  handle,
});

function appWith(routes: Route[]) {
  const linkAnswers = new LinkAnswers(server.deps.manager);
  const page = { signIns: server.deps.gate.signIns, tickets: new DownloadTickets(), linkAnswers };
  const about = {
    ...page,
    metrics: new Metrics(),
    hosts: async () => [],
    url: () => server.url,
    uptimeSeconds: () => 1,
    isClosing: () => false,
  };
  const service = { ...server.deps, ...about };
  return createApp({ ...server.deps, routes, service, isTls: false, onExchange: () => undefined });
}

it.each([
  [
    'throws',
    () => {
      throw new Error('the secret inside');
    },
  ],
  ['rejects', () => Promise.reject(new RangeError('the secret inside'))],
  [
    'throws a value that is not an error',
    () => {
      throw 'the secret inside' as unknown as Error;
    },
  ],
])('answers 500 if a handler %s, and writes the error only to its log', async (_how, handle) => {
  const response = await supertest(appWith([broken(handle)])).get('/broken');
  expect([response.status, checkError(undefined, response)]).toEqual([500, 'INTERNAL_ERROR']);
  expect(response.text).not.toContain('secret');
  const requestId = response.headers['x-request-id'];
  expect(response.body.error.details).toEqual({ requestId });
  const fault = logged().find(({ level }) => level === ERROR_LEVEL);
  expect(fault).toMatchObject({ requestId, route: '/broken' });
  expect(JSON.stringify(fault)).toContain('the secret inside');
});

it('answers 500 if an answer cannot be serialized', async () => {
  const { status } = await supertest(appWith([broken(() => ({ count: 1n }))])).get('/broken');
  expect(status).toBe(500);
});

it('tolerates a caller that disconnects in the middle of a body', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const whole = jsonRequest(server.port, 'POST', '/api/terminals', JSON.stringify({ cwd: '/'.repeat(1000) }));
  socket.write(whole.subarray(0, whole.length - 500), () => socket.destroy());
  await eventually(() => logged().some(({ status }) => status === 499));
  expect(logged().filter(({ level }) => level >= ERROR_LEVEL)).toEqual([]);
  expect((await server.manager.summary()).createdTotal).toBe(0);
});

it('survives a caller that sends invalid data after a valid request', async () => {
  const good = requestText(server.port, 'GET', '/docs', { headers: { Connection: 'keep-alive' } });
  const { status } = await sendRaw(server.port, Buffer.concat([good, Buffer.from('rubbish\r\n\r\n')]));
  expect([200, 400]).toContain(status);
  expect((await server.api.get('/healthz')).status).toBe(200);
  expect(logged().filter(({ level }) => level >= ERROR_LEVEL)).toEqual([]);
});

it('writes nothing into an answer that has begun, whatever else arrives', async () => {
  const large = await startServer({ engine: { maxBufferLines: 20_000, maxBufferBytes: 16 << 20 } });
  const id = await large.api.run("head -c 5000000 /dev/zero | tr '\\0' x | fold -w 1000");
  await large.api.ended(id);
  const target = `/api/terminals/${id}/output?maxLines=10000000&maxBytes=4194304&entries=true`;
  const socket = connect(large.port, '127.0.0.1').on('error', () => 'it may be reset');
  socket.write(requestText(large.port, 'GET', target, { headers: { Connection: 'keep-alive' } }));
  // The start has arrived; the rest is far more than the connection buffers while it is not read.
  await once(socket, 'readable');
  socket.write('rubbish\r\n\r\n');
  const received = await text(socket).catch(() => '');
  expect(received.split('HTTP/1.1').length).toBeLessThanOrEqual(2);
  expect((await large.api.get('/healthz')).status).toBe(200);
});
