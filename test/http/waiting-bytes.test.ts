/** Tests that what waits for its turn on one connection is bounded in bytes, not only in number. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { MAX_LIVE_MESSAGE_BYTES } from '../../src/contract/live.js';
import { Exchange } from '../../src/http/exchange.js';
import { acceptUpgrade, listenForUpgrades } from '../../src/http/upgrade.js';
import type { LivePeer } from '../../src/live/peer.js';
import { eventually } from '../eventually.js';
import { encoded, openRawLive } from './raw-live.js';
import { startServer, stopServers } from './server-under-test.js';

afterEach(stopServers);

it('leaves messages of a live connection with their sender, and loses none', async () => {
  const { server, accepted } = upgrading();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = await openRawLive((server.address() as AddressInfo).port, 'any');
  const { peer, socket } = await accepted;
  const message = encoded({ payload: Buffer.alloc(MAX_LIVE_MESSAGE_BYTES, 'x') });
  for (let n = 0; n < 20; n++) client.write(message);
  await eventually(() => socket.isPaused());
  expect(socket.bytesRead).toBeLessThan(3 * MAX_LIVE_MESSAGE_BYTES);
  const taken: number[] = [];
  peer.receive(async ({ length }) => void taken.push(length));
  await eventually(() => taken.length === 20);
  expect(new Set(taken)).toEqual(new Set([MAX_LIVE_MESSAGE_BYTES]));
  client.destroy();
  server.close();
});

/** A server that accepts one live connection and takes no message. */
function upgrading(): { server: Server; accepted: Promise<{ peer: LivePeer; socket: Socket }> } {
  const server = createServer();
  const accepted = new Promise<{ peer: LivePeer; socket: Socket }>((resolve, reject) => {
    listenForUpgrades(
      server,
      (request, response) => {
        const peer = acceptUpgrade(new Exchange(request, response));
        peer.then((opened) => resolve({ peer: opened, socket: request.socket }), reject);
      },
      () => {},
    );
  });
  return { server, accepted };
}

it('closes a connection that sends many requests with large headers before the first is answered', async () => {
  const server = await startServer();
  const id = await server.api.run('read line');
  const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\n${more}\r\n`;
  const client = connect(server.port, '127.0.0.1').on('error', () => 'the server resets it');
  client.write(head(`/api/terminals/${id}/output?timeoutMs=100000`));
  await eventually(async () => (await server.manager.summary()).waitingReads === 1);
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.write(head('/healthz', `X: ${'x'.repeat(15_000)}\r\n`).repeat(100));
  await closed;
});
