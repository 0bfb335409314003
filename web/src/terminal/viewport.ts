/** Describes which rows of the emulator the page shows, above the emulator and in it, and where. */
import type { IMarker, Terminal } from '@xterm/xterm';
import { linesBetween } from './rows.js';

export interface Viewport {
  /** The topmost row shown. */
  readonly first: number;
  /** Number of rows shown above the emulator. */
  readonly above: number;
  /** Number of rows in the emulator. */
  readonly rows: number;
  readonly cell: CellSize;
  /** Whether a full-screen program is shown. */
  readonly isFullScreen: boolean;
  /** How far the user has scrolled back; null if the end is shown. */
  readonly back: Back | null;
}

export interface CellSize {
  readonly width: number;
  readonly height: number;
}

export interface Back {
  /** Number of lines below the last row shown. */
  readonly below: number;
  /** How many of them began after the user scrolled back; null if that is not known. */
  readonly fresh: number | null;
}

/** Returns the size of a character cell, which the emulator rounds to whole pixels of the display. */
export function cellSize({ element, cols, rows }: Terminal): CellSize {
  const screen = element?.querySelector('.xterm-screen');
  const { width = 0, height = 0 } = screen?.getBoundingClientRect() ?? {};
  return { width: width / cols, height: height / rows };
}

export class ViewportWatch {
  readonly #terminal: Terminal;
  /** The cursor's row when the user scrolled back. */
  #left: IMarker | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** @param height - Height available, in pixels. */
  look(height: number): Viewport {
    const { rows, buffer } = this.#terminal;
    const { active, normal } = buffer;
    const cell = cellSize(this.#terminal);
    const isFullScreen = active.type === 'alternate';
    const room = cell.height === 0 ? 0 : Math.max(0, Math.floor(height / cell.height) - rows);
    if (isFullScreen) {
      const end = normal.baseY + normal.cursorY + 1;
      const above = Math.min(room, end);
      return { first: end - above, above, rows, cell, isFullScreen, back: null };
    }
    // Rows above the emulator need not be scrolled into it.
    const least = Math.min(room, active.baseY);
    if (active.viewportY < least) this.#terminal.scrollToLine(least);
    const { viewportY } = active;
    const above = Math.min(room, viewportY);
    return { first: viewportY - above, above, rows, cell, isFullScreen, back: this.#back() };
  }

  #back(): Back | null {
    const { active } = this.#terminal.buffer;
    if (active.viewportY >= active.baseY) {
      this.#left?.dispose();
      this.#left = null;
      return null;
    }
    this.#left ??= this.#terminal.registerMarker(0);
    const isWrapped = (row: number): boolean => active.getLine(row)?.isWrapped ?? false;
    const [from, to] = [active.viewportY + this.#terminal.rows, active.baseY + active.cursorY];
    const { line, isDisposed } = this.#left;
    const fresh = isDisposed ? null : linesBetween(isWrapped, Math.max(from, line + 1), to);
    return { below: linesBetween(isWrapped, from, to), fresh };
  }
}
