/**
 * Tests that a client that joins a full-screen program at any point, with a snapshot, shows the same as one that has
 * interpreted all of its output.
 */
import fc from 'fast-check';
import { CAPTURE_SIZE, readCapture } from '../captures/capture.js';
import { runs } from '../deep.js';
import { eventually } from '../eventually.js';
import { ScreenUnderTest } from '../screen/screen-under-test.js';
import { LiveClient } from './live-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const JOINS = runs({ normal: 8, deep: 30 });

let server: ServerUnderTest;
beforeEach(async () => void (server = await startServer()));
afterEach(stopServers);

/** Plays a capture in parts, up to each of the offsets; goes on at each line `go`. The host's replies are in between. */
const PLAY =
  'file=$1; shift; stty raw -echo; at=0; for to in "$@"; do tail -c +$((at+1)) "$file" | head -c $((to-at)); at=$to; ' +
  'until read -r line; [ "${line%go}" != "$line" ]; do :; done; done';

/** Offsets at which clients join, in order; the last is the end. */
function joinsOf(bytes: Buffer): fc.Arbitrary<number[]> {
  return fc
    .uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { minLength: JOINS, maxLength: JOINS })
    .map((offsets) => [...offsets.sort((a, b) => a - b), bytes.length]);
}

async function play(path: string, offsets: readonly number[]): Promise<string> {
  const args = ['-c', PLAY, 'play', path, ...offsets.map(String)];
  return server.api.create({ command: '/bin/sh', args, ...CAPTURE_SIZE });
}

/** What a client shows that was given a snapshot and the output that followed. */
async function shownBy(client: LiveClient, end: number): Promise<unknown> {
  const { at, data, cols, rows } = await client.get('snapshot');
  await eventually(() => at + client.output.length === end);
  const screen = new ScreenUnderTest(cols, rows);
  screen.write(Buffer.from(data));
  screen.write(Buffer.from(client.output, 'latin1'));
  return screen.state;
}

it.each(['vim', 'htop', 'less'])('a client that joins %s shows the same as all of its output', async (name) => {
  const bytes = readCapture(name);
  const path = new URL(`../captures/${name}.raw`, import.meta.url).pathname;
  const whole = new ScreenUnderTest(CAPTURE_SIZE.cols, CAPTURE_SIZE.rows);
  whole.write(bytes);
  await fc.assert(
    fc.asyncProperty(joinsOf(bytes), async (offsets) => {
      const id = await play(path, offsets);
      const clients: LiveClient[] = [];
      for (const offset of offsets) {
        await eventually(async () => (await server.manager.get(id)).totalBytes === offset);
        const client = await LiveClient.open(server.url, id);
        clients.push(client);
        await client.get('snapshot');
        await server.manager.write(id, { input: 'go\n', raw: true });
      }
      for (const client of clients) expect(await shownBy(client, bytes.length)).toEqual(whole.state);
      for (const client of clients) client.socket.terminate();
    }),
    { numRuns: runs({ normal: 2, deep: 10 }), endOnFailure: true },
  );
});
