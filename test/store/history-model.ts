/** The reference for a history on disk: everything ever appended, in memory. Also generates random histories. */
import fc from 'fast-check';
import { LineBuffer } from '../../src/history/line-buffer.js';
import type { StoredLine, LineRange } from '../../src/history/line-buffer.js';
import { skipLost, nextLost, clipSpans } from '../../src/history/spans.js';
import type { Span } from '../../src/history/spans.js';
import type { HistoryBatch } from '../../src/history/store.js';
import type { HistoryFiles } from '../../src/store/history-files.js';

/**
 * A piece of output, and the lines that become final with it: each is a span that starts before the end of the output,
 * or a text.
 */
export interface HistoryStep {
  readonly bytes: Uint8Array;
  readonly lines: readonly LineStep[];
}

interface LineStep {
  /** Bytes of the span; null for a line with its own text. */
  readonly span: number | null;
  readonly gap: number;
  readonly text: string;
  readonly elapsedMs: number;
}

const style = fc.constantFrom('', '', '', '\x1b[31m', '\x1b[1;38;2;1;2;3m');
const ownText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 10 }).map((text) => text.repeat(400)) },
);
const times = { elapsedMs: fc.oneof(fc.constant(0), fc.integer({ min: -50, max: 5000 })) };
const spanLine = fc.record({ span: fc.nat({ max: 300 }), gap: fc.constantFrom(2, 2, 2, 0, 40), text: style, ...times });
const textLine = fc.record({ span: fc.constant(null), gap: fc.nat({ max: 9 }), text: ownText, ...times });
const someLines = fc.array(fc.oneof({ weight: 4, arbitrary: spanLine }, { weight: 1, arbitrary: textLine }), {
  maxLength: 40,
  size: 'max',
});
const manyLines = fc
  .tuple(fc.array(spanLine, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 150 }))
  .map(([lines, times]) => Array.from({ length: times }, () => lines).flat());
/** Its size is enough in the report of a failure. */
const filling = fc.constantFrom(0, 2000, 90_000).map((size) => {
  const name = (): string => `Buffer.alloc(${size}, 'tenacitty')`;
  return Object.assign(Buffer.alloc(size, 'tenacitty'), { [fc.toStringMethod]: name });
});
const step = fc.record({
  bytes: fc.oneof(fc.uint8Array({ maxLength: 300, size: 'max' }), filling),
  lines: fc.oneof({ weight: 4, arbitrary: someLines }, { weight: 1, arbitrary: manyLines }),
});

/** A few batches of history. */
export const steps: fc.Arbitrary<HistoryStep[]> = fc.array(step, { minLength: 1, maxLength: 12, size: 'max' });

/** Returns these lines in the form in which a history in memory passes them on to be saved. */
export function rangeOf(kept: readonly StoredLine[]): LineRange {
  const lines = new LineBuffer();
  for (const line of kept) lines.push(line);
  return lines.range(0, kept.length);
}

export class HistoryModel {
  readonly lines: StoredLine[] = [];
  readonly #firstLine: number;
  readonly #firstOffset: number;
  #bytes = Buffer.alloc(0);
  #at: number;
  #time = 1_750_000_000_000;

  constructor(from = { line: 0, offset: 0 }) {
    this.#firstLine = from.line;
    this.#firstOffset = from.offset;
    this.#at = from.offset;
  }

  get nextLine(): number {
    return this.#firstLine + this.lines.length;
  }

  get end(): number {
    return this.#firstOffset + this.#bytes.length;
  }

  /** Returns the next step as a batch; from now on it is expected. */
  next({ bytes, lines }: HistoryStep): HistoryBatch {
    const start = { fromLine: this.nextLine, fromOffset: this.end };
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const added = lines.map((line) => this.#line(line)).filter((line) => line !== null);
    this.lines.push(...added);
    const middle = bytes.length >>> 1;
    return { ...start, lines: rangeOf(added), output: [bytes.subarray(0, middle), bytes.subarray(middle)] };
  }

  /** Removes what was appended at or after this line and offset. */
  cutTo(line: number, offset: number): void {
    this.lines.length = line - this.#firstLine;
    this.#bytes = this.#bytes.subarray(0, offset - this.#firstOffset);
    this.#at = Math.min(this.#at, offset);
  }

  line(n: number): StoredLine {
    return this.lines[n - this.#firstLine]!;
  }

  bytes(from: number, to: number): Buffer {
    return this.#bytes.subarray(from - this.#firstOffset, to - this.#firstOffset);
  }

  #line({ span, gap, text, elapsedMs }: LineStep): StoredLine | null {
    this.#time += elapsedMs;
    const start = Math.min(this.#at + gap, this.end);
    if (span !== null && start + span > this.end) return null;
    this.#at = start + (span ?? 0);
    return { start, time: this.#time, length: span, text };
  }
}

/** Reads everything held, by lines and by bytes, and compares. */
export function expectSame(files: HistoryFiles, model: HistoryModel): void {
  expect([files.nextLine, files.outputEnd]).toEqual([model.nextLine, model.end]);
  expectHeld(files, model);
}

/** The same, but what is held may end earlier than the model, and have gaps. */
export function expectHeld(files: HistoryFiles, model: HistoryModel): void {
  const { outputStart, outputEnd, lostOutput } = files;
  const numbers = heldNumbers(files);
  expect(numbers.map((n) => files.line(n))).toEqual(numbers.map((n) => model.line(n)));
  for (let from = outputStart; from < outputEnd;) {
    const to = Math.min(nextLost(lostOutput, from), outputEnd);
    expect(files.output(from, outputEnd).equals(model.bytes(from, to))).toBe(true);
    from = skipLost(lostOutput, to);
  }
  const spans = numbers.map((n) => model.line(n)).filter(({ length }) => length !== null);
  const isHeld = (span: Span): boolean =>
    span.from >= outputStart && span.to <= outputEnd && clipSpans(lostOutput, span.from, span.to).length === 0;
  expect(spans.filter(({ start, length }) => !isHeld({ from: start, to: start + length! }))).toEqual([]);
}

/** Returns the numbers of all lines that are reported as readable. */
export function heldNumbers({ oldestLine, nextLine, lostLines }: HistoryFiles): number[] {
  const all = Array.from({ length: nextLine - oldestLine }, (_, i) => oldestLine + i);
  return all.filter((n) => skipLost(lostLines, n) === n);
}

/** Returns a batch of `count` plain lines of `width` characters. */
export function plainStep(count: number, width = 78): HistoryStep {
  const line = `\r\n${'x'.repeat(width)}`;
  const lines = Array.from({ length: count }, () => ({ span: width, gap: 2, text: '', elapsedMs: 0 }));
  return { bytes: Buffer.from(line.repeat(count)), lines };
}
