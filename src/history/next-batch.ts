/**
 * What of a history in memory is to be saved next. It knows neither the disk nor when a line is final. Pure.
 */
import { OWN_TEXT } from './lines.js';
import type { Lines } from './lines.js';
import type { OutputBuffer } from './output-buffer.js';
import type { HistoryBatch, Unsaved } from './store.js';

export interface BatchLimits {
  readonly lines: number;
  /** Of output, about. */
  readonly bytes: number;
}

/**
 * What is final from `from` on, up to `limits`, or null if there is nothing. Its lines are valid until the next change,
 * its bytes until they are dropped.
 *
 * @param finalEnd - Number behind the last line that is final.
 */
export function nextBatch(
  { lines, output }: { readonly lines: Lines; readonly output: OutputBuffer },
  from: Unsaved,
  finalEnd: number,
  limits: BatchLimits,
): HistoryBatch | null {
  const most = Math.min(output.end, from.offset + limits.bytes);
  const next = endOfLinesWithin(lines, from.line, Math.min(finalEnd, from.line + limits.lines), most);
  // No byte before the line it belongs to: whatever is saved of the output may be dropped from memory.
  const to = next < finalEnd ? Math.max(from.offset, Math.min(most, lines.startOf(next))) : most;
  if (next === from.line && to === from.offset) return null;
  const saved = { fromLine: from.line, lines: lines.range(from.line, next) };
  return { ...saved, fromOffset: from.offset, output: output.views(from.offset, to) };
}

/** Behind the last line that ends at `offset` or before, none of those before it going beyond. */
function endOfLinesWithin(lines: Lines, from: number, to: number, offset: number): number {
  let n = from;
  while (n < to && endOf(lines, n) <= offset) n++;
  return n;
}

function endOf(lines: Lines, n: number): number {
  const length = lines.lengthOf(n);
  return length === OWN_TEXT ? lines.startOf(n) : lines.startOf(n) + length;
}
