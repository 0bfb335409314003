/** Sends frames that break the WebSocket protocol or that of live connections: nothing is typed, and the server stays up. */
import { once } from 'node:events';
import fc from 'fast-check';
import { runs } from '../deep.js';
import { retainedBytes, retainedOnceBelow } from '../engine/memory.js';
import { eventually } from '../eventually.js';
import { encoded, OPCODE, openRawLive, type Frame } from './raw-live.js';
import { startServer, type ServerUnderTest } from './server-under-test.js';

/** Each has its own connection, which takes some 10 ms. */
const FRAMES = runs({ normal: 60, deep: 5000 });
const TIMEOUT_MS = runs({ normal: 20_000, deep: 600_000 });
const MAX_GROWTH_BYTES = 16 << 20;
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
/** Would be typed if its frame were correct. */
const INPUT = json({ type: 'input', seq: 1, text: 'never typed' });
const controls = fc.constantFrom(OPCODE.close, OPCODE.ping, OPCODE.pong);
const notUtf8 = Buffer.from(INPUT.toString('latin1').replace('never', 'n\xc3(ver'), 'latin1');

type Wrong = Omit<Frame, 'payload'> & Partial<Pick<Frame, 'payload'>>;

/** Frames that contain a correct input, and are wrong themselves. */
const wrongFrame = fc
  .oneof(
    fc.constantFrom<Wrong>({ isMasked: false }, { payload: notUtf8 }),
    fc.constantFrom<Wrong>({ opcode: OPCODE.binary }, { opcode: OPCODE.continuation }, { isFinal: false }),
    fc.integer({ min: 1, max: 7 }).map((reserved): Wrong => ({ reserved })),
    fc.constantFrom(3, 4, 5, 6, 7, 11, 12, 13, 14, 15).map((opcode): Wrong => ({ opcode })),
    fc.record({ opcode: controls, isFinal: fc.constant(false) }),
    fc.record({ opcode: controls, payload: fc.integer({ min: 126, max: 70_000 }).map((size) => Buffer.alloc(size)) }),
    fc.record({
      opcode: fc.constant(OPCODE.close),
      payload: fc.uint8Array({ maxLength: 8 }).map((body) => Buffer.from(body)),
    }),
    fc.bigInt({ min: BigInt(INPUT.length) + 1n, max: (1n << 64n) - 1n }).map((length): Wrong => ({ length })),
  )
  .map((frame: Wrong) => encoded({ payload: INPUT, ...frame }));

const anything = fc.anything({ maxDepth: 1 });
/** Correct frames with inputs that are wrong in at least one field. */
const wrongInput = fc
  .oneof(
    fc.record({ type: fc.constant('input'), seq: anything.filter((seq) => !isSeq(seq)), text: fc.string() }),
    fc.record({ type: fc.constant('input'), seq: fc.nat(), text: anything.filter((text) => typeof text !== 'string') }),
    fc.record({ type: fc.constant('input'), seq: fc.nat(), text: fc.string(), more: fc.string() }),
    fc.record({ type: fc.constant('input'), seq: fc.nat(), text: fc.string(), keys: fc.constant(['enter']) }),
    fc.record({ type: fc.string().filter((type) => type !== 'input'), seq: fc.nat(), text: fc.string() }),
  )
  .map((value) => encoded({ payload: json(value) }));

/** Whether it is a safe integer once it is JSON. */
function isSeq(value: unknown): boolean {
  return Number.isSafeInteger(JSON.parse(JSON.stringify(value) ?? 'null'));
}

const noise = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((all) => Buffer.from(all));
const wrong = fc.oneof(noise, wrongInput, { arbitrary: wrongFrame, weight: 3 });
/** What precedes it in the same packet: nothing, or frames that are allowed. */
const allowed = fc.array(
  fc.constantFrom(encoded({ opcode: OPCODE.ping, payload: INPUT }), encoded({ payload: json({ type: 'ping' }) })),
  { maxLength: 2 },
);

let server: ServerUnderTest;
let id: string;
beforeAll(async () => {
  server = await startServer();
  id = await server.api.run('stty raw -echo; echo begun; exec cat');
  await server.api.readUntil(id, 'begun');
});
afterAll(() => server.stop());

async function sendAlone(frames: readonly Buffer[]): Promise<void> {
  const socket = await openRawLive(server.port, id, '?snapshot=false');
  const closed = once(socket.resume(), 'close');
  socket.end(Buffer.concat(frames));
  await closed;
}

it(
  `survives ${FRAMES} wrong frames with bounded memory, and types none of them`,
  async () => {
    const memory = retainedBytes();
    await fc.assert(
      fc.asyncProperty(allowed, wrong, (first, last) => sendAlone([...first, last])),
      { numRuns: FRAMES },
    );
    await eventually(async () => (await server.manager.get(id)).viewers === 0);
    expect(await server.manager.get(id)).toMatchObject({ inputCount: 0, status: 'active' });
    expect((await server.manager.read(id)).output).toBe('begun');
    expect((await server.api.get('/healthz')).status).toBe(200);
    server.logLines.length = 0;
    expect(await retainedOnceBelow(memory + MAX_GROWTH_BYTES)).toBeLessThan(memory + MAX_GROWTH_BYTES);
  },
  TIMEOUT_MS,
);

it('types an input whose frame is right', async () => {
  await sendAlone([encoded({ payload: INPUT })]);
  await eventually(async () => (await server.manager.get(id)).inputCount === 1);
});
