/** Tests that `tenacitty acp proxy` passes its input on byte for byte, in order, and no faster than it is read. */
import { once } from 'node:events';
import fc from 'fast-check';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { ProxyWithFakeAgent, Proxy } from './proxied.js';
import type { Side } from './proxied.js';
import { runs } from '../deep.js';

const IS_LINUX = process.platform === 'linux';
const MIB = 1 << 20;
/** How much more memory a proxy may need for a flood than when idle. Buffering all of it would need more. */
const MEMORY_FOR_FLOODS = 80 * MIB;
const FLOOD_LINES = 192;

let place: Place;
let between: ProxyWithFakeAgent;
beforeEach(async () => {
  place = await sharedPlace();
  between = await ProxyWithFakeAgent.start(place);
});
afterEach(async () => {
  await between.close();
  await place.clear();
});

const message = (value: object) => ({ jsonrpc: '2.0', ...value });
const initialize = (clientCapabilities?: object) =>
  message({ id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities } });

/** Lines that are not for the proxy, in all forms that they may have on the wire. */
const line = fc.oneof(
  fc.json().map((json) => Buffer.from(json.replaceAll('\n', ' '))),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a))),
  fc
    .constantFrom(
      '',
      '\r',
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call"}}}',
      '{"jsonrpc" : "2.0" ,"id":9007199254740993,"result":{"n":1e400, "x":-0, "y":12345678901234567890}}',
      '{"jsonrpc":"2.0","id":null,"method":"terminal/strange","params":{"a":"\\u00e9\\/"}}',
      '{"jsonrpc":"2.0","method":"terminal/create","params":{"sessionId":"s","command":"a notification"}}',
      '{"jsonrpc":"2.0","method":"terminal/create","id":1,"params":{"sessionId":',
      '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":77}}',
      '[{"jsonrpc":"2.0","id":1,"method":"terminal/create"}]',
      '{"method":"session/new","id":5,"params":{"cwd":"/","mcpServers":[]}}',
    )
    .map((text) => Buffer.from(text)),
);
const stream = fc
  .array(line, { maxLength: 30 })
  .map((lines) => Buffer.concat(lines.flatMap((one) => [one, Buffer.from('\n')])));
/** Where a stream is split. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

async function carries(from: Side, to: Side, bytes: Buffer, at: readonly number[]): Promise<void> {
  const places = [0, ...at.map((share) => Math.floor(share * bytes.length)), bytes.length].sort((a, b) => a - b);
  for (const [index, end] of places.entries()) {
    const piece = bytes.subarray(places[index - 1] ?? 0, end);
    if (piece.length > 0) await new Promise((resolve) => from.input.write(piece, resolve));
  }
  expect(await to.bytes(bytes.length)).toEqual(bytes);
}

it.each([
  ['has terminals of its own', { terminal: true }],
  ['has none', {}],
])(
  'forwards any bytes unchanged in both directions, wherever they are split, for an editor that %s',
  async (_title, own) => {
    const { editor, agent } = between;
    editor.say(initialize(own));
    expect(await agent.hears()).toEqual(initialize({ ...own, terminal: true }));
    const both = fc.asyncProperty(stream, stream, cuts, cuts, async (there, back, thereAt, backAt) => {
      await Promise.all([carries(editor, agent, there, thereAt), carries(agent, editor, back, backAt)]);
    });
    await fc.assert(both, { numRuns: runs({ normal: 20, deep: 60 }) });
  },
);

it('changes nothing between an editor with terminals and its agent', async () => {
  const { editor, agent } = between;
  const said = [
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"terminal":true}}}',
    '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}',
    '{"jsonrpc":"2.0","id":7,"result":{"terminalId":"theirs"}}',
  ];
  const answered = [
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}',
    '{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}',
    '{"jsonrpc":"2.0","id":7,"method":"terminal/create","params":{"sessionId":"s","command":"ls"}}',
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call",' +
      '"toolCallId":"t","content":[{"type":"terminal","terminalId":"theirs"}]}}}',
    '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}',
  ];
  for (const one of said) editor.input.write(`${one}\n`);
  for (const one of said) expect(await agent.line()).toBe(`${one}\n`);
  for (const one of answered) agent.input.write(`${one}\n`);
  for (const one of answered) expect(await editor.line()).toBe(`${one}\n`);
});

it.each(['there', 'back'])('forwards a line of 64 MiB %s without buffering it', async (way) => {
  const { editor, agent } = between;
  editor.say(initialize());
  await agent.hears();
  const [from, to] = way === 'there' ? [editor, agent] : [agent, editor];
  const before = IS_LINUX ? between.peakBytes : 0;
  const long = Buffer.alloc(64 * MIB, 'x');
  const start = Buffer.from('{"jsonrpc":"2.0","id":3,"method":"terminal/create","params":{"command":"');
  for (const bytes of [start, long, Buffer.from('"}}\n'), Buffer.from('{"next":1}\n')]) from.input.write(bytes);
  expect((await to.bytes(start.length)).equals(start)).toBe(true);
  expect((await to.bytes(long.length)).equals(long)).toBe(true);
  expect(await to.line()).toBe('"}}\n');
  expect(await to.line()).toBe('{"next":1}\n');
  if (IS_LINUX) expect(between.peakBytes - before).toBeLessThan(MEMORY_FOR_FLOODS);
});

/** Generates lines of one MiB that differ. */
function* flood(): Generator<Buffer> {
  for (let n = 0; n < FLOOD_LINES; n++) {
    yield Buffer.from(`{"jsonrpc":"2.0","method":"flood","params":{"n":${n},"pad":"${'-'.repeat(MIB)}"}}\n`);
  }
}

/** Resolves when everything was read; `taken` counts the bytes. */
async function pour(into: Side, taken: { bytes: number }): Promise<void> {
  for (const chunk of flood()) {
    if (!into.input.write(chunk)) await once(into.input, 'drain');
    taken.bytes += chunk.length;
  }
}

/** Resolves when the count has not grown while a number of messages passed in the other direction. */
async function untilStuck(taken: { bytes: number }, from: Side, to: Side): Promise<void> {
  for (let seen = -1, calm = 0; calm < 1000; calm = taken.bytes === seen ? calm + 1 : 0, seen = taken.bytes) {
    from.say(message({ method: 'tick' }));
    expect(await to.hears()).toEqual(message({ method: 'tick' }));
  }
}

it.each(['editor', 'agent'] as const)(
  'applies back-pressure from a slow reader to the writer: the %s',
  async (slow) => {
    const reader = between[slow];
    const writer = between[slow === 'editor' ? 'agent' : 'editor'];
    between.editor.say(initialize());
    await between.agent.hears();
    const before = IS_LINUX ? between.peakBytes : 0;
    const taken = { bytes: 0 };
    const poured = pour(writer, taken);
    await untilStuck(taken, reader, writer);
    expect(taken.bytes).toBeLessThan((FLOOD_LINES * MIB) / 2);
    for (const chunk of flood()) expect((await reader.bytes(chunk.length)).equals(chunk)).toBe(true);
    await poured;
    if (IS_LINUX) expect(between.peakBytes - before).toBeLessThan(MEMORY_FOR_FLOODS);
  },
);

it('writes only the agent’s messages to stdout, and its stderr to our stderr', async () => {
  const proxy = new Proxy(place, ['sh', '-c', 'echo trouble >&2; cat']);
  proxy.editor.input.end('{"a":1}\nno end');
  expect(await proxy.editor.line()).toBe('{"a":1}\n');
  expect(await proxy.editor.line()).toBe('no end');
  expect(await proxy.ended).toBe(0);
  expect(proxy.stderr).toBe('trouble\n');
});
