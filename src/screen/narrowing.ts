/**
 * Bounds what a much narrower screen costs: a thousand full rows of a thousand columns become half a million rows of
 * two. Rows that cannot stay visible are therefore taken out before the emulator wraps the rest again. Does not depend
 * on the emulator, apart from its rows.
 */
import type { EmulatorBuffer, EmulatorLine } from './internals.js';

/** Up to this number, the emulator wraps all rows again: twice as many as the tallest screen has. */
const MAX_REWRAPPED_ROWS = 2000;

/**
 * Takes out the rows that cannot be visible on a screen of `cols` × `rows`; below the cursor, they are lost, as they
 * are when the emulator makes room.
 *
 * @param leave - Called for each row above the cursor that is taken out, from the top.
 */
export function removeHiddenRows(buffer: EmulatorBuffer, cols: number, rows: number, leave: (y: number) => void) {
  const { lines } = buffer;
  const height = lines.length;
  if (height * Math.ceil(lines.get(0)!.length / cols) <= MAX_REWRAPPED_ROWS) return;
  const first = buffer.y - reach(buffer, -1, cols, rows);
  const last = buffer.y + reach(buffer, 1, cols, rows);
  for (let y = 0; y < first; y++) leave(y);
  while (lines.length > last + 1) lines.pop();
  lines.trimStart(first);
  while (lines.length < height) lines.push(buffer.getBlankLine());
  buffer.y -= first;
  buffer.savedY = Math.max(buffer.savedY - first, 0);
}

/** Returns how many rows above (`step` -1) or below (1) the cursor's are certain to fill `rows` rows of `cols`. */
function reach({ lines, y: cursor }: EmulatorBuffer, step: number, cols: number, rows: number): number {
  let y = cursor;
  for (let filled = 0; filled < rows && y + step >= 0 && y + step < lines.length;) {
    y += step;
    filled += leastHeight(lines.get(y)!, cols);
  }
  return Math.abs(y - cursor);
}

/** A row that continues a line may fit into the last row of what it continues. */
function leastHeight(line: EmulatorLine, cols: number): number {
  return Math.max(Math.floor(line.getTrimmedLength() / cols), line.isWrapped ? 0 : 1);
}
