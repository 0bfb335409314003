/**
 * Determines what the user typed at a prompt, from the shell's record of it or, if there is none, from its echo. Pure.
 */
import type { TrackedKind } from './shells.js';

/** The echo of a line, starting at the end of the prompt. */
export interface Echo {
  readonly echo: Buffer | null;
  readonly columns: number;
}

/**
 * @param noted - The shell's record of the newest line; null if it keeps none.
 * @param prompt - Where the line was typed; null if no prompt has been seen.
 */
export function typedText(
  noted: string | null,
  kind: TrackedKind,
  prompt: { readonly column: number; readonly history: number | null } | null,
  { echo, columns }: Echo,
): string {
  const exact = noted === null || noted === '' ? null : notedText(noted, kind, prompt?.history ?? null);
  if (exact !== null) return exact;
  return echo === null ? '' : echoedText(echo.toString('utf8'), prompt?.column ?? 0, columns);
}

/**
 * Returns the recorded line. bash records a line with its history number. A line that was not added to the history
 * leaves the previous record in place.
 */
function notedText(noted: string, kind: TrackedKind, history: number | null): string | null {
  if (kind !== 'bash') return noted.replace(/\n$/, '');
  const match = /^\s*(\d+)[* ] ([^]*)$/.exec(noted);
  if (match === null || (history !== null && Number(match[1]) !== history)) return null;
  return match[2]!.replace(/\n$/, '');
}

/** Content beyond this is not kept: a background program may print any repeat count next to the echo. */
const MAX_CELLS = 16 << 10;

/**
 * Returns a line as it stood when Enter was typed. Emulates just enough of a terminal for the output of line editors.
 */
export function echoedText(echo: string, column: number, columns: number): string {
  const cells: string[] = [];
  let at = column;

  for (const [part] of echo.matchAll(/\x1b\[[0-9;?<>=]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|[^]/gu)) {
    at = Math.min(MAX_CELLS, place(part, at, cells, column, columns));
    if (cells.length > MAX_CELLS) cells.length = MAX_CELLS;
  }
  return Array.from(cells.slice(column), (cell) => cell ?? ' ')
    .join('')
    .trim();
}

/** Applies one part of the echo; returns the new cursor position. */
function place(part: string, at: number, cells: string[], column: number, columns: number): number {
  const [, count = '', final = ''] = /^\x1b\[([0-9]*)([A-Za-z@])$/.exec(part) ?? [];
  const by = Math.min(columns, Math.max(1, Number(count)));
  if (part === '\b') return Math.max(column, at - 1);
  // Moves to the start of the current row; the prompt is in the first row.
  if (part === '\r') return at - (at % columns);
  if (part === '\n') return at;
  if (final === 'D') return Math.max(column, at - by);
  if (final === 'C') return at + by;
  if (final === 'K') cells.length = Math.min(cells.length, Math.max(at, column));
  if (final === 'P') cells.splice(at, by);
  if (final === '@') cells.splice(at, 0, ...Array.from({ length: by }, () => ' '));
  if (part.length > 2 || part < ' ' || part.startsWith('\x1b')) return at;
  cells[at] = part;
  return at + 1;
}
