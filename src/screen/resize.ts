/**
 * Resizes an emulator so that nothing on its normal screen is lost: lines are rewrapped, including the one being
 * written, and output continues at the right place. Rows that no longer fit stay above the screen until `dropAbove` is
 * called.
 */
import type { Emulator } from './emulator.js';
import type { EmulatorBuffer } from './internals.js';
import { rowEnd } from './row.js';

/** Maximum number of rows that a resize can push out at once: every cell of the largest screen in a row of its own. */
const ROOM_ABOVE = 1_000_000;

/** The cursor's position in the text, as the number of columns after the start of its line. */
interface Place {
  readonly marker: { readonly line: number; dispose(): void };
  readonly columns: number;
}

export function resizeEmulator({ terminal, core }: Emulator, cols: number, rows: number): void {
  const { normal } = core.buffers;
  const place = placeOfCursor(normal);
  terminal.options.scrollback = ROOM_ABOVE;
  terminal.resize(cols, rows);
  putCursor(normal, place, cols, rows);
}

/** Discards the rows above the screen. */
export function dropAbove({ terminal, core }: Emulator): void {
  const { normal } = core.buffers;
  const { x } = normal;
  // The emulator treats this as another resize, which moves a cursor that is past the last column back into it.
  terminal.options.scrollback = 0;
  normal.x = x;
}

function placeOfCursor(buffer: EmulatorBuffer): Place {
  const cursor = buffer.ybase + buffer.y;
  let first = cursor;
  while (first > 0 && buffer.lines.get(first)!.isWrapped) first--;
  let columns = buffer.x;
  for (let row = first; row < cursor; row++) columns += rowEnd(buffer.lines.get(row)!, buffer.lines.get(row + 1));
  return { marker: buffer.addMarker(first), columns };
}

/** Moves the cursor, which the emulator leaves in its old column, in the middle of the rewrapped text. */
function putCursor(buffer: EmulatorBuffer, { marker, columns }: Place, cols: number, rows: number): void {
  let row = Math.max(marker.line, 0);
  let left = columns;
  marker.dispose();
  for (; row + 1 < buffer.lines.length; row++) {
    const line = buffer.lines.get(row)!;
    const next = buffer.lines.get(row + 1)!;
    // At the very end of a row, the cursor stays past the last column, and the next character wraps.
    if (!next.isWrapped || left <= rowEnd(line, next)) break;
    left -= rowEnd(line, next);
  }
  buffer.y = Math.min(Math.max(row - buffer.ybase, 0), rows - 1);
  buffer.x = Math.min(left, cols);
}
