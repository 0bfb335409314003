/**
 * Loaded into an agent that has no network but a loopback of its own: what it sends to MODEL_PORT there goes to the Unix
 * socket MODEL_SOCKET. Nothing of it keeps the agent alive.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const server = createServer((near) => {
  const far = connect(process.env.MODEL_SOCKET);
  near.unref();
  far.unref();
  near.pipe(far).pipe(near);
  // One end's fault is the other's end.
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
});
server.listen(Number(process.env.MODEL_PORT), '127.0.0.1').unref();
try {
  await once(server, 'listening');
} catch (error) {
  // An agent that starts itself anew passes on what it loads first: the first one relays for all.
  if (error.code !== 'EADDRINUSE') throw error;
}
