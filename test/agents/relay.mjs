/**
 * Loaded into an agent that has no network except its own loopback: relays connections to MODEL_PORT there to the Unix
 * socket MODEL_SOCKET. Does not keep the agent alive.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const server = createServer((near) => {
  const far = connect(process.env.MODEL_SOCKET);
  near.unref();
  far.unref();
  near.pipe(far).pipe(near);
  // An error at one end closes the other.
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
});
server.listen(Number(process.env.MODEL_PORT), '127.0.0.1').unref();
try {
  await once(server, 'listening');
} catch (error) {
  // An agent that starts itself again loads this module again: the first process relays for all.
  if (error.code !== 'EADDRINUSE') throw error;
}
