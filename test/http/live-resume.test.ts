/**
 * Tests that clients of live connections continue after a loss: wherever the connection is cut, no byte of output is
 * missing or comes twice, and no input is typed twice.
 */
import fc from 'fast-check';
import { rawOutput } from '../engine/all-pages.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';
import { LiveClient } from './live-client.js';
import { LiveProxy, NO_CUT } from './live-proxy.js';
import { LiveTypist } from './live-typist.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

/** Of 100 bytes: more than the network and the server hold for a client that does not read. */
const LINES = 70_000;

let server: ServerUnderTest;
let proxy: LiveProxy;
beforeEach(async () => {
  server = await startServer({ engine: { maxBufferLines: LINES } });
  proxy = await LiveProxy.open(server.port);
});
afterEach(async () => {
  proxy.close();
  await stopServers();
});

const outputOf = (id: string): Promise<string> => rawOutput(server.manager, id);

/** A terminal that shows what is typed, byte for byte. */
async function catting(): Promise<string> {
  const id = await server.api.run('stty raw -echo; printf begun; exec cat');
  await server.api.readUntil(id, 'begun');
  return id;
}

/** A terminal that has printed lines of 100 characters. */
async function printed(lines: number): Promise<{ id: string; whole: string }> {
  // Nothing follows `all`, not even a line ending.
  const id = await server.api.run(`seq -f '%0100.0f' ${lines}; printf all; exec cat`);
  await server.manager.wait(id, { text: 'all', fromOffset: 0 });
  return { id, whole: await outputOf(id) };
}

describe('a client whose connection is cut after any number of bytes in each direction', () => {
  const CUTS = runs({ normal: 50, deep: 500 });
  const INPUTS_BETWEEN = 5;
  /** A handshake and a greeting have 300 bytes in each direction, an input and its echo 100. */
  const bytes = fc.integer({ min: 1, max: 1500 });
  const textOf = (seq: number) => `<${seq}${'.'.repeat(seq % 50)}>`;

  it('gets each byte once, and types each input once', async () => {
    const cuts = fc.array(fc.record({ toServer: bytes, toClient: bytes }), { minLength: CUTS, maxLength: CUTS });
    await fc.assert(
      fc.asyncProperty(cuts, async (all) => {
        const typist = new LiveTypist(await catting(), textOf);
        const isComplete = (_: LiveClient, output: string) => output === `begun${typist.expected}`;
        for (const cut of all) {
          proxy.cut = () => cut;
          await typist.type(proxy, INPUTS_BETWEEN, isComplete);
        }
        proxy.cut = () => NO_CUT;
        await typist.type(proxy, 0, isComplete);
        expect(typist.output).toBe(`begun${typist.expected}`);
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });

  it('gets each byte of long output once', async () => {
    const { id, whole } = await printed(runs({ normal: 10_000, deep: 35_000 }));
    const typist = new LiveTypist(id, textOf);
    // A message of output has up to 64 KiB, and only whole messages count.
    proxy.cut = () => ({ ...NO_CUT, toClient: 1 + Math.floor(Math.random() * (200 << 10)) });
    for (let connections = 0; typist.output.length < whole.length; connections++) {
      expect(connections).toBeLessThan(1000);
      await typist.type(proxy, 0, (_, output) => output.length === whole.length);
    }
    expect(typist.output).toBe(whole);
  });
});

it('gives a client all that was printed before it connected, although that is more than may be unread', async () => {
  const { id, whole } = await printed(LINES);
  const client = await LiveClient.open(server.url, id, { query: 'from=0' });
  await eventually(() => client.output.length === whole.length, { missing: () => JSON.stringify(client.messages) });
  expect([client.all('gap'), client.output === whole]).toEqual([[], true]);
});

describe('inputs of one writer', () => {
  const type = (client: LiveClient, seq: number) =>
    client.send({ type: 'input', writer: 'one', seq, text: `<${seq}>` });

  it('are typed once and in order over two connections at the same time', async () => {
    const inputs = runs({ normal: 200, deep: 2000 });
    const id = await catting();
    const clients = [await LiveClient.open(server.url, id), await LiveClient.open(server.url, id)];
    for (let seq = 1; seq <= inputs; seq++) clients.forEach((client) => type(client, seq));
    await Promise.all(clients.map((client) => client.get('ack', inputs - 1)));
    const expected = Array.from({ length: inputs }, (_, index) => `<${index + 1}>`).join('');
    await eventually(async () => (await outputOf(id)).length >= `begun${expected}`.length);
    expect(await outputOf(id)).toBe(`begun${expected}`);
  });

  it('are acknowledged when they are repeated, even if another caller holds the terminal by then', async () => {
    const id = await catting();
    const [one, other] = [await LiveClient.open(server.url, id), await LiveClient.open(server.url, id)];
    type(one, 1);
    await one.get('ack');
    other.send({ type: 'control', action: 'take' });
    await one.get('control');
    type(one, 1);
    expect(await one.get('ack', 1)).toEqual({ type: 'ack', seq: 1 });
    type(one, 2);
    expect(await one.get('error')).toMatchObject({ code: 'TERMINAL_HELD', about: 2 });
    await eventually(async () => (await outputOf(id)) === 'begun<1>');
  });
});
