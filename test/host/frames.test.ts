/** Tests that frames are decoded however the bytes are split, and that invalid frames are rejected. Pure. */
import fc from 'fast-check';
import { encodeHeader, FrameDecoder } from '../../src/host/frames.js';
import type { Frame } from '../../src/host/frames.js';
import { chooseProtocol, MAX_FRAME_BYTES } from '../../src/host/protocol.js';
import { Window } from '../../src/host/window.js';

const frame = fc.record({
  kind: fc.integer({ min: 0, max: 255 }),
  id: fc.integer({ min: 0, max: 0xffff_ffff }),
  payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

function encode({ kind, id, payload }: Frame): Buffer {
  return Buffer.concat([encodeHeader(kind, id, payload.length), payload]);
}

/** Splits `bytes` into pieces of the given lengths, repeatedly. */
function* cut(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  for (let start = 0, i = 0; start < bytes.length; i++) {
    const length = lengths[i % lengths.length]!;
    yield bytes.subarray(start, start + length);
    start += length;
  }
}

describe('frames', () => {
  it('come out as they went in, however the bytes are cut', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 20 }), lengths, (frames, pieces) => {
        const decoder = new FrameDecoder();
        const received = [...cut(Buffer.concat(frames.map(encode)), pieces)].flatMap((piece) => decoder.push(piece));
        expect(received).toEqual(frames);
      }),
    );
  });

  it('of full length come one byte at a time without taking for ever', () => {
    const payload = Buffer.alloc(MAX_FRAME_BYTES, 'x');
    const decoder = new FrameDecoder();
    const frames = [...cut(encode({ kind: 6, id: 1, payload }), [1])].flatMap((piece) => decoder.push(piece));
    expect(frames).toHaveLength(1);
    expect(frames[0]!.payload.equals(payload)).toBe(true);
  });

  it('share memory with what was received where they lie in one piece', () => {
    const bytes = encode({ kind: 6, id: 1, payload: Buffer.from('abc') });
    const [received] = new FrameDecoder().push(bytes);
    expect(received!.payload.buffer).toBe(bytes.buffer);
  });

  it('that are too long are refused before their payload comes', () => {
    const header = encodeHeader(6, 1, MAX_FRAME_BYTES + 1);
    expect(() => new FrameDecoder().push(header)).toThrow(/frame of 1048577 bytes .* at most 1048576/);
  });
});

describe('the version', () => {
  it.each([
    [[1], [1], 1],
    [[3, 2, 1], [2, 1], 2],
    [[1, 2], [3, 2], 2],
    [[9], [1], null],
    [[], [1], null],
  ])('of a client that speaks %j and a host that speaks %j is %j', (theirs, ours, chosen) => {
    expect(chooseProtocol(theirs, ours)).toBe(chosen);
  });
});

describe('a window', () => {
  it('is shut when as much is under way as it holds, and opens when some of it is taken', async () => {
    const window = new Window(100);
    window.sent(99);
    await window.room();
    window.sent(1);
    let isOpen = false;
    const opened = window.room().then(() => (isOpen = true));
    await Promise.resolve();
    expect(isOpen).toBe(false);
    window.taken(1);
    await opened;
    expect(isOpen).toBe(true);
  });

  it('lets nobody wait who closes it', async () => {
    const window = new Window(1);
    window.sent(5);
    const waiting = window.room();
    window.close();
    await waiting;
    await window.room();
  });
});
