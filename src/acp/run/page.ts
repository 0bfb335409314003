/** How much a person sees at once, in cells of their terminal, and text as rows of it. */
import type { KeyboardStreams } from './keyboard.js';

export interface Page {
  readonly columns: number;
  readonly rows: number;
}

/** Where nobody is asked, a question is only told of. */
const NOBODY: Page = { columns: 200, rows: 100 };
/** Where somebody is, and the size of their terminal is not known. */
const USUAL: Page = { columns: 80, rows: 24 };
/** What comes to stand at most behind a tab, and a character that is no plain one, whatever the terminal takes it for. */
const TAB_CELLS = 8;
const WIDE_CELLS = 2;
/** A colour of ours, or a character. */
const TOKEN = /\x1b\[\d+m|[^]/gu;

/** @param prompt - What is said without anybody at the keyboard, or null. */
export function pageOf(prompt: string | null, { input, output }: KeyboardStreams): Page {
  if (prompt !== null || input.isTTY !== true) return NOBODY;
  return { columns: output.columns || USUAL.columns, rows: output.rows || USUAL.rows };
}

/** One line, harmless but for colours of ours, as rows of at most so many cells; at least one. */
export function wrapped(line: string, cells: number): string[] {
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
