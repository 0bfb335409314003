/**
 * Tests retained output: it always equals what a naive implementation returns for the same bytes, and its memory is
 * bounded by the limit.
 */
import fc from 'fast-check';
import { cutOffLength } from '../utf8.js';
import { RetainedOutput } from './retained-output.js';
import type { RetainedText } from './retained-output.js';
import { runs } from '../../test/deep.js';

/** Keeps all bytes, decodes them, and cuts to the last characters that fit. */
class NaiveOutput {
  readonly #limit: number;
  #all = Buffer.alloc(0);
  #lost = false;
  #isOver = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(bytes: Uint8Array): void {
    this.#all = Buffer.concat([this.#all, bytes]);
    if (bytes.length > 0) this.#isOver = false;
  }

  lose(): void {
    this.#all = Buffer.alloc(0);
    this.#lost = true;
  }

  end(): void {
    this.#isOver = true;
  }

  read(): RetainedText {
    const all = this.#isOver ? this.#all : withoutUnfinished(this.#all);
    const characters = [...decoded(withPlainLineEnds(all))];
    let bytes = 0;
    let from = characters.length;
    while (from > 0 && bytes + Buffer.byteLength(characters[from - 1]!) <= this.#limit) {
      bytes += Buffer.byteLength(characters[--from]!);
    }
    return { output: characters.slice(from).join(''), truncated: this.#lost || from > 0 };
  }
}

function withoutUnfinished(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - (bytes.at(-1) === 0x0d ? 1 : cutOffLength(bytes)));
}

/** Works byte by byte: latin1 preserves all bytes. */
function withPlainLineEnds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Whole characters of one to four bytes, parts of them, line endings, and invalid bytes. */
const piece = fc.oneof(
  fc
    .constantFrom('a', 'é', '€', '😀', '\r\n', '\r', '\n', '\r\r\n', '\ufeff', '\x1b[1m')
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 4 }),
  fc.constantFrom([0xf0, 0x9f], [0xe2, 0x82], [0xc3], [0x80, 0x80, 0x80, 0x80, 0x80], [0xe0, 0x9f], [0xed, 0xa0, 0x80]),
);
const bytesOf = (pieces: readonly Iterable<number>[]) => Buffer.from(pieces.flatMap((one) => [...one]));
const action = fc.oneof(
  { weight: 12, arbitrary: fc.array(piece, { maxLength: 12 }).map((pieces) => ({ add: bytesOf(pieces) })) },
  { weight: 6, arbitrary: fc.constant('read' as const) },
  { weight: 1, arbitrary: fc.constantFrom('lose' as const, 'end' as const) },
);

it('equals the result of a naive implementation, however the bytes are split', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.array(action, { maxLength: 40 }), (limit, actions) => {
      const [retained, naive] = [new RetainedOutput(limit), new NaiveOutput(limit)];
      for (const one of [...actions, 'read' as const]) {
        if (one === 'read') expect(retained.read()).toEqual(naive.read());
        else if (typeof one === 'string') for (const output of [retained, naive]) output[one]();
        else for (const output of [retained, naive]) output.add(one.add);
      }
    }),
    { numRuns: runs({ normal: 500, deep: 3000 }) },
  );
});

it('equals the result of a naive implementation if the limit is exceeded many times', () => {
  const pieces = fc.array(piece, { minLength: 1, maxLength: 20 }).map(bytesOf);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), pieces, fc.integer({ min: 1, max: 50_000 }), (limit, part, size) => {
      const retained = new RetainedOutput(limit);
      const all = Buffer.alloc(Math.max(200_000, part.length), part);
      for (let at = 0; at < all.length; at += size) retained.add(all.subarray(at, at + size));
      const naive = new NaiveOutput(limit);
      // Bytes before these would not change the result. Start where a part starts, so possibly with half a character.
      naive.add(all.subarray(-(Math.ceil((2 * limit + 100) / part.length) * part.length + (all.length % part.length))));
      expect(retained.read()).toEqual({ ...naive.read(), truncated: true });
    }),
    { numRuns: 200 },
  );
});

it('equals the result of a naive implementation when older bytes are moved out', () => {
  const bytes = fc.array(piece, { minLength: 20, maxLength: 60 }).map(bytesOf);
  fc.assert(
    fc.property(fc.nat(40), bytes, (limit, ending) => {
      const [retained, naive] = [new RetainedOutput(limit), new NaiveOutput(limit)];
      // Chosen so that the buffer is full a few bytes later, whatever is moved then.
      retained.add(Buffer.alloc(64 << 10, 'a'));
      retained.add(Buffer.alloc(limit, 'a'));
      naive.add(Buffer.alloc(2 * limit + 1, 'a'));
      for (const byte of ending) {
        for (const output of [retained, naive]) output.add(Buffer.of(byte));
        expect(retained.read()).toEqual(naive.read());
      }
    }),
    { numRuns: 300 },
  );
});

it('only appends to earlier text as long as nothing is cut off', () => {
  fc.assert(
    fc.property(fc.array(fc.array(piece, { maxLength: 5 }).map(bytesOf), { maxLength: 30 }), (chunks) => {
      const retained = new RetainedOutput(1 << 20);
      let before = '';
      for (const chunk of chunks) {
        retained.add(chunk);
        const { output } = retained.read();
        expect(output.startsWith(before)).toBe(true);
        before = output;
      }
    }),
  );
});

it.each([
  [0, '', true],
  [3, '', true],
  [4, '😀', true],
  [7, '😀', true],
  [8, '😀😀', true],
  [12, '😀😀😀', false],
])('never cuts a character of four bytes: limit %d', (limit, output, truncated) => {
  const retained = new RetainedOutput(limit);
  for (const byte of Buffer.from('😀😀😀')) retained.add(Buffer.of(byte));
  expect(retained.read()).toEqual({ output, truncated });
});

it('is empty without output', () => {
  expect(new RetainedOutput(0).read()).toEqual({ output: '', truncated: false });
  expect(new RetainedOutput(10).read()).toEqual({ output: '', truncated: false });
});

it('returns the same text again until there is new output', () => {
  const retained = new RetainedOutput(100);
  retained.add(Buffer.from('one'));
  const first = retained.read();
  expect(retained.read()).toBe(first);
  retained.add(Buffer.from('two'));
  expect(retained.read()).toEqual({ output: 'onetwo', truncated: false });
});

it('holds no more memory than the limit requires, after a hundred times as much output', () => {
  const limit = 1 << 20;
  const retained = new RetainedOutput(limit);
  const chunk = Buffer.from('0123456789abcde\r\n'.repeat(4000));
  for (let sent = 0; sent < 100 * limit; sent += chunk.length) retained.add(chunk);
  expect(retained.heldBytes).toBeLessThan(1.5 * limit);
  expect(Buffer.byteLength(retained.read().output)).toBe(limit);
});

it('holds no more memory for one large chunk, and shows the same', () => {
  for (const limit of [0, 1, 10, 1 << 20]) {
    const whole = Buffer.from('é€😀\r\n'.repeat(300_000));
    const [atOnce, inPieces] = [new RetainedOutput(limit), new RetainedOutput(limit)];
    atOnce.add(whole);
    for (let at = 0; at < whole.length; at += 1000) inPieces.add(whole.subarray(at, at + 1000));
    expect(atOnce.read()).toEqual(inPieces.read());
    expect(atOnce.heldBytes).toBeLessThan(1.25 * limit + (65 << 10));
  }
});
