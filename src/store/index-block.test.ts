import fc from 'fast-check';
import type { StoredLine } from '../history/line-buffer.js';
import { BLOCK_LINES, blockRanges } from './batch-blocks.js';
import { rangeOf } from '../../test/store/history-model.js';
import { ByteReader, ByteWriter } from './byte-codec.js';
import { findBlock, readLines, writeBlock } from './index-block.js';

const whole = fc.oneof(fc.nat({ max: 300 }), fc.maxSafeNat());
const half = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -(2 ** 52), max: 2 ** 52 - 1 }));

describe('the byte codec', () => {
  it('reads what it wrote', () => {
    const text = fc.string({ unit: 'binary' });
    const uint32 = fc.nat({ max: 0xffff_ffff });
    fc.assert(
      fc.property(fc.array(fc.tuple(whole, half, text, uint32)), (all) => {
        const writer = new ByteWriter();
        for (const [a, b, c, d] of all) {
          writer.byteAndVarint(7, a);
          writer.signed(b);
          writer.text(c);
          writer.uint32(d);
        }
        const reader = new ByteReader(writer.copy(), 0, writer.length);
        for (const [a, b, c, d] of all) {
          expect([reader.byte(), reader.varint(), reader.signed()]).toEqual([7, a, b]);
          expect([reader.text(), reader.uint32()]).toEqual([c, d]);
        }
        expect([reader.at, reader.isPastEnd]).toEqual([writer.length, false]);
        reader.varint();
        expect(reader.isPastEnd).toBe(true);
      }),
    );
  });

  it('supports values of any size', () => {
    const writer = new ByteWriter();
    for (let i = 0; i < 10; i++) writer.text('➜'.repeat(50_000));
    const reader = new ByteReader(writer.copy(), 0, writer.length);
    for (let i = 0; i < 10; i++) expect(reader.text()).toBe('➜'.repeat(50_000));
  });
});

const anyLine: fc.Arbitrary<StoredLine> = fc.record({
  start: fc.nat({ max: 2 ** 51 }),
  time: fc.nat({ max: 2 ** 51 }),
  length: fc.option(fc.nat({ max: 2 ** 31 - 1 })),
  text: fc.string({ unit: 'binary' }),
});

describe('an index block', () => {
  it('returns any lines, in any order, and where the earliest span begins', () => {
    fc.assert(
      fc.property(fc.array(anyLine), fc.maxSafeNat(), (lines, outputTo) => {
        const writer = new ByteWriter();
        writer.text('before');
        const at = writer.length;
        const starts = lines.filter(({ length }) => length !== null).map(({ start }) => start);
        const earliestSpan = Math.min(Infinity, ...starts);
        const content = {
          outputTo,
          outputCrc: 5,
          firstLine: 9,
          lines: rangeOf(lines),
          from: 0,
          to: lines.length,
          earliestSpan,
        };
        const head = writeBlock(writer, content, 77);
        const bytes = writer.copy();
        const block = findBlock(bytes, at)!;
        const read: StoredLine[] = [];
        readLines(bytes, block, read);
        expect([block.head, block.end, read]).toEqual([head, bytes.length, lines]);
        expect(head).toMatchObject({ outputTo, outputCrc: 5, firstLine: 9, lineCount: lines.length });
        expect(head.earliestSpan).toBe(Math.min(earliestSpan, outputTo));
        expect([head.time, head.newestTime]).toEqual([lines[0]?.time ?? 77, lines.at(-1)?.time ?? 77]);
      }),
    );
  });
});

describe('the block ranges of a batch', () => {
  const gap = fc.nat({ max: 3 });
  const long = fc.record({ length: fc.option(fc.nat({ max: 200_000 }), { freq: 4 }), gap });
  const short = fc.record({ length: fc.option(fc.nat({ max: 300 }), { freq: 4 }), gap });
  const few = fc.array(long, { maxLength: 20 });
  const many = fc.array(short, { maxLength: 4 }).map((some) => Array.from({ length: 300 }, () => some).flat());

  it('cover all of it, in order, none too large, and no line before its bytes', () => {
    fc.assert(
      fc.property(fc.oneof(few, many), fc.nat({ max: 300_000 }), fc.nat({ max: 9 }), (spans, rest, fromOffset) => {
        let at = fromOffset;
        const lines = spans.map(({ length, gap }) => {
          const start = at + gap;
          at = start + (length ?? 0);
          return { start, time: 0, length, text: '' };
        });
        const end = at + rest;
        const pieces = blockRanges({ fromLine: 0, lines: rangeOf(lines), fromOffset, output: [] }, end);
        expect(pieces.flatMap(({ from, to }) => lines.slice(from, to))).toEqual(lines);
        expect(pieces.at(-1)?.outputTo ?? fromOffset).toBe(end);
        for (const [i, { from, to, outputTo, earliestSpan }] of pieces.entries()) {
          const some = lines.slice(from, to).filter(({ length }) => length !== null);
          expect(to - from).toBeLessThanOrEqual(BLOCK_LINES);
          expect(outputTo - (pieces[i - 1]?.outputTo ?? fromOffset)).toBeLessThanOrEqual(64 << 10);
          expect(Math.max(0, ...some.map(({ start, length }) => start + length!))).toBeLessThanOrEqual(outputTo);
          expect(earliestSpan).toBe(Math.min(Infinity, ...some.map(({ start }) => start)));
        }
      }),
    );
  });
});
