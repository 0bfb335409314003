/** Determines the size of the person's screen in cells, and wraps text to its rows. */
import type { KeyboardStreams } from './prompt-keyboard.js';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Used if there is no person to ask, so that questions are only reported. */
const UNATTENDED_SIZE: ScreenSize = { columns: 200, rows: 100 };
/** Used if there is a person to ask but the size of their terminal is unknown. */
const DEFAULT_SIZE: ScreenSize = { columns: 80, rows: 24 };
/** Maximum widths of a tab and of a non-ASCII character in any terminal. */
const TAB_CELLS = 8;
const WIDE_CELLS = 2;
/** Matches one of our own colour sequences, or a single character. */
const TOKEN = /\x1b\[\d+m|[^]/gu;

/**
 * Returns the size of the screen.
 *
 * @param prompt - The prompt to run without a keyboard, or null.
 */
export function screenSizeOf(prompt: string | null, { input, output }: KeyboardStreams): ScreenSize {
  if (prompt !== null || input.isTTY !== true) return UNATTENDED_SIZE;
  return { columns: output.columns || DEFAULT_SIZE.columns, rows: output.rows || DEFAULT_SIZE.rows };
}

/**
 * Wraps one line, which is sanitized except for our own colours, into rows of at most `cells` cells. Returns at least
 * one row.
 */
export function wrapLine(line: string, cells: number): string[] {
  const rows = [''];
  let used = 0;
  for (const [token] of line.matchAll(TOKEN)) {
    const width = cellsOf(token);
    if (used > 0 && used + width > cells) {
      rows.push('');
      used = 0;
    }
    rows[rows.length - 1] += token;
    used += width;
  }
  return rows;
}

function cellsOf(token: string): number {
  if (token.startsWith('\x1b')) return 0;
  if (token === '\t') return TAB_CELLS;
  return token >= ' ' && token <= '~' ? 1 : WIDE_CELLS;
}
