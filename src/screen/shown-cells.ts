/**
 * Returns what a snapshot shows, cell by cell, for renderers: restores an emulator from the snapshot and reads its
 * cells.
 */
import type { TerminalSnapshot } from '../contract/output.js';
import { penOf, textOf, widthOf } from './cells.js';
import { createEmulator } from './emulator.js';
import type { EmulatorLine } from './internals.js';
import { styleOf } from './row.js';
import type { Style } from './style.js';

/** A character at its position, or an empty cell. */
export interface ShownCell {
  readonly x: number;
  readonly y: number;
  /** Empty if nothing has been written. */
  readonly text: string;
  readonly columns: 1 | 2;
  readonly style: Style;
}

export interface ShownScreen {
  readonly cols: number;
  readonly rows: number;
  /** All cells, row by row; the second column of a wide character is not a separate cell. */
  readonly cells: readonly ShownCell[];
  /** Position of the visible cursor; null if it is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

export function shownCells({ cols, rows, data }: TerminalSnapshot): ShownScreen {
  const { terminal, core } = createEmulator(cols, rows);
  try {
    core.write(data);
    const { active } = core.buffers;
    const cells: ShownCell[] = [];
    for (let y = 0; y < rows; y++) cells.push(...rowCells(active.lines.get(active.ybase + y)!, y, cols));
    const cursor = core.isCursorHidden ? null : { x: Math.min(active.x, cols - 1), y: active.y };
    return { cols, rows, cells, cursor };
  } finally {
    terminal.dispose();
  }
}

function rowCells(line: EmulatorLine, y: number, cols: number): ShownCell[] {
  const cells: ShownCell[] = [];
  for (let x = 0; x < cols;) {
    const columns = widthOf(line, x) === 2 && x + 1 < cols ? 2 : 1;
    const { fg, bg, extended } = penOf(line, x);
    cells.push({ x, y, text: textOf(line, x), columns, style: styleOf(fg, bg, extended) });
    x += columns;
  }
  return cells;
}
