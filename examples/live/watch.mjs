/**
 * Shows a terminal, and types each line of stdin into it: `node watch.mjs ID`. Reconnects by itself when the connection
 * is lost, and ends with the terminal.
 */
import { createInterface } from 'node:readline';
import { TenacittyClient } from 'tenacitty/client';
import { WebSocket } from 'ws';

const [, , id] = process.argv;
const client = new TenacittyClient({ url: process.env.SERVER ?? 'http://localhost:3001', key: process.env.KEY });

const live = client.live(id, {
  WebSocket,
  onSnapshot: ({ data }) => process.stdout.write(data),
  onOutput: (bytes) => process.stdout.write(bytes),
  onMessage: (message) => {
    if (message.type === 'ended') process.exitCode = message.exitCode ?? 1;
  },
  onState: (state, reason) => {
    if (state !== 'open' && reason) console.error(`${state}: ${reason}`);
    if (state === 'closed') process.stdin.destroy();
  },
});

for await (const line of createInterface({ input: process.stdin })) {
  await live.type(`${line}\r`).catch((error) => console.error(error.message));
}
