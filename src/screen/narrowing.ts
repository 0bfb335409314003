/**
 * Bounds the cost of making a screen much narrower: a thousand full rows of a thousand columns would become half a
 * million rows of two columns. Rows that cannot stay visible are therefore removed before the emulator rewraps the
 * rest.
 */
import type { EmulatorBuffer, EmulatorLine } from './internals.js';

/** Up to this number of rows, twice that of the tallest screen, the emulator rewraps all rows. */
const MAX_REWRAPPED_ROWS = 2000;

/**
 * Removes the rows that cannot be visible on a screen of `cols` × `rows`. Removed rows below the cursor are lost, as
 * they are when the emulator makes room.
 *
 * @param leave - Called for each removed row above the cursor, from the top.
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

/**
 * Returns how many rows above (`step` -1) or below (1) the cursor's row are certain to fill `rows` rows of `cols`
 * columns.
 */
function reach({ lines, y: cursor }: EmulatorBuffer, step: number, cols: number, rows: number): number {
  let y = cursor;
  for (let filled = 0; filled < rows && y + step >= 0 && y + step < lines.length;) {
    y += step;
    filled += leastHeight(lines.get(y)!, cols);
  }
  return Math.abs(y - cursor);
}

/** Returns a row's minimum height. A row that continues a line may fit into the last row of that line. */
function leastHeight(line: EmulatorLine, cols: number): number {
  return Math.max(Math.floor(line.getTrimmedLength() / cols), line.isWrapped ? 0 : 1);
}
