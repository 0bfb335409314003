/** Selects which part of a history in memory to save next. Pure. */
import { OWN_TEXT } from './line-buffer.js';
import type { LineBuffer } from './line-buffer.js';
import type { OutputBuffer } from './output-buffer.js';
import type { HistoryBatch, UnsavedRange } from './store.js';

export interface BatchLimits {
  readonly lines: number;
  /** Approximate limit for the output. */
  readonly bytes: number;
}

/**
 * Returns the final data starting at `from`, up to `limits`, or null if there is none. The lines are valid until the
 * next change, the bytes until they are dropped.
 *
 * @param finalEnd - The number after the last final line.
 */
export function nextBatch(
  { lines, output }: { readonly lines: LineBuffer; readonly output: OutputBuffer },
  from: UnsavedRange,
  finalEnd: number,
  limits: BatchLimits,
): HistoryBatch | null {
  const most = Math.min(output.end, from.offset + limits.bytes);
  const next = endOfLinesWithin(lines, from.line, Math.min(finalEnd, from.line + limits.lines), most);
  // Do not save a byte before the line that it belongs to, because saved output may be dropped from memory.
  const to = next < finalEnd ? Math.max(from.offset, Math.min(most, lines.startOf(next))) : most;
  if (next === from.line && to === from.offset) return null;
  const saved = { fromLine: from.line, lines: lines.range(from.line, next) };
  return { ...saved, fromOffset: from.offset, output: output.views(from.offset, to) };
}

/**
 * Returns the number after the last line that ends at or before `offset`, not counting lines after the first one that
 * ends later.
 */
function endOfLinesWithin(lines: LineBuffer, from: number, to: number, offset: number): number {
  let n = from;
  while (n < to && endOf(lines, n) <= offset) n++;
  return n;
}

function endOf(lines: LineBuffer, n: number): number {
  const length = lines.lengthOf(n);
  return length === OWN_TEXT ? lines.startOf(n) : lines.startOf(n) + length;
}
