/**
 * Divides a batch into pieces that become blocks. Each piece is small enough that reading one line decodes little, and
 * no piece contains a line before the bytes that it spans. Pure.
 */
import { OWN_TEXT } from '../history/line-buffer.js';
import type { LineRange } from '../history/line-buffer.js';
import type { HistoryBatch } from '../history/store.js';

/** Maximum number of lines in a block. Its output or text exceeds `BLOCK_BYTES` only if a single line does. */
export const BLOCK_LINES = 256;
const BLOCK_BYTES = 64 << 10;

/** Lines `[from, to)` of the batch, and the output up to `outputTo`. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
  readonly outputTo: number;
  /** Where the earliest span among its lines begins; Infinity if there is none. */
  readonly earliestSpan: number;
}

/**
 * @param outputEnd - Offset after the last byte of the batch.
 * @throws Error if the span of a line extends beyond `outputEnd`.
 */
export function blockRanges({ lines, fromOffset }: HistoryBatch, outputEnd: number): BlockRange[] {
  const ranges: BlockRange[] = [];
  let at = fromOffset;
  const coverUpTo = (outputTo: number, line: number): void => {
    for (; outputTo - at > BLOCK_BYTES; at += BLOCK_BYTES) {
      ranges.push({ from: line, to: line, outputTo: at + BLOCK_BYTES, earliestSpan: Infinity });
    }
  };
  for (let from = 0; from < lines.count;) {
    const { to, spansTo, earliestSpan } = nextLines(lines, from, at);
    if (spansTo > outputEnd)
      throw new Error(`A line spans the output up to ${spansTo}, but the output ends at ${outputEnd}`);
    const isLast = to === lines.count && outputEnd - spansTo <= BLOCK_BYTES;
    const outputTo = isLast ? outputEnd : spansTo;
    coverUpTo(outputTo, from);
    ranges.push({ from, to, outputTo, earliestSpan });
    at = outputTo;
    from = to;
  }
  coverUpTo(outputEnd, lines.count);
  const rest = { from: lines.count, to: lines.count, outputTo: outputEnd, earliestSpan: Infinity };
  return at < outputEnd ? [...ranges, rest] : ranges;
}

interface LinesTogether {
  /** The number after the last line. */
  readonly to: number;
  /** Where the last span among them ends. */
  readonly spansTo: number;
  readonly earliestSpan: number;
}

/** Returns the lines, starting at `from`, that go into one piece. */
function nextLines(lines: LineRange, from: number, at: number): LinesTogether {
  const most = Math.min(lines.count, from + BLOCK_LINES);
  let to = from;
  let spansTo = at;
  let earliestSpan = Infinity;
  let textBytes = 0;
  for (; to < most && spansTo - at < BLOCK_BYTES && textBytes < BLOCK_BYTES; to++) {
    textBytes += lines.text(to).length;
    const length = lines.length(to);
    if (length === OWN_TEXT) continue;
    const start = lines.start(to);
    if (start + length > spansTo) spansTo = start + length;
    if (start < earliestSpan) earliestSpan = start;
  }
  return { to, spansTo, earliestSpan };
}
