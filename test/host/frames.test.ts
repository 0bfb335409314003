/** Tests that frames are decoded however the bytes are split, and that invalid frames are rejected. Pure. */
import fc from 'fast-check';
import { encodeHeader, FrameDecoder } from '../../src/host/frames.js';
import type { Frame } from '../../src/host/frames.js';
import { chooseProtocol, MAX_FRAME_BYTES } from '../../src/host/protocol.js';
import { FlowWindow } from '../../src/host/flow-window.js';

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
  it('are decoded as they were encoded, however the bytes are split', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 20 }), lengths, (frames, pieces) => {
        const decoder = new FrameDecoder();
        const received = [...cut(Buffer.concat(frames.map(encode)), pieces)].flatMap((piece) => decoder.push(piece));
        expect(received).toEqual(frames);
      }),
    );
  });

  it('of full length are decoded byte by byte in limited time', () => {
    const payload = Buffer.alloc(MAX_FRAME_BYTES, 'x');
    const decoder = new FrameDecoder();
    const frames = [...cut(encode({ kind: 6, id: 1, payload }), [1])].flatMap((piece) => decoder.push(piece));
    expect(frames).toHaveLength(1);
    expect(frames[0]!.payload.equals(payload)).toBe(true);
  });

  it('share memory with the received bytes if they are contiguous', () => {
    const bytes = encode({ kind: 6, id: 1, payload: Buffer.from('abc') });
    const [received] = new FrameDecoder().push(bytes);
    expect(received!.payload.buffer).toBe(bytes.buffer);
  });

  it('that are too long are refused before their payload arrives', () => {
    const header = encodeHeader(6, 1, MAX_FRAME_BYTES + 1);
    expect(() => new FrameDecoder().push(header)).toThrow(/frame of 1048577 bytes .* at most 1048576/);
  });
});

describe('the protocol version', () => {
  it.each([
    [[1], [1], 1],
    [[3, 2, 1], [2, 1], 2],
    [[1, 2], [3, 2], 2],
    [[9], [1], null],
    [[], [1], null],
  ])('of a client that supports %j and a host that supports %j is %j', (theirs, ours, chosen) => {
    expect(chooseProtocol(theirs, ours)).toBe(chosen);
  });
});

describe('a flow-control window', () => {
  it('is closed when full, and opens when bytes are consumed', async () => {
    const window = new FlowWindow(100);
    window.onSent(99);
    await window.untilOpen();
    window.onSent(1);
    let isOpen = false;
    const opened = window.untilOpen().then(() => (isOpen = true));
    await Promise.resolve();
    expect(isOpen).toBe(false);
    window.onTaken(1);
    await opened;
    expect(isOpen).toBe(true);
  });

  it('releases waiting senders when it is closed', async () => {
    const window = new FlowWindow(1);
    window.onSent(5);
    const waiting = window.untilOpen();
    window.close();
    await waiting;
    await window.untilOpen();
  });
});
