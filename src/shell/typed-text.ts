/**
 * What somebody has typed at a prompt: as the shell has noted it, or where it has not, as it was echoed. Pure.
 */
import type { FollowedKind } from './shells.js';

/** The echo of a line, from the end of the prompt on. */
export interface Echo {
  readonly echo: Buffer | null;
  readonly columns: number;
}

/**
 * @param noted - What the shell has noted of the newest line; null if it notes none.
 * @param prompt - Where the line was typed; null if that was not seen.
 */
export function typedText(
  noted: string | null,
  kind: FollowedKind,
  prompt: { readonly column: number; readonly history: number | null } | null,
  { echo, columns }: Echo,
): string {
  const exact = noted === null || noted === '' ? null : notedText(noted, kind, prompt?.history ?? null);
  if (exact !== null) return exact;
  return echo === null ? '' : echoedText(echo.toString('utf8'), prompt?.column ?? 0, columns);
}

/** bash notes a line with its number; one that was not kept in the history has left the note before it. */
function notedText(noted: string, kind: FollowedKind, history: number | null): string | null {
  if (kind !== 'bash') return noted.replace(/\n$/, '');
  const match = /^\s*(\d+)[* ] ([^]*)$/.exec(noted);
  if (match === null || (history !== null && Number(match[1]) !== history)) return null;
  return match[2]!.replace(/\n$/, '');
}

/** What is shown beyond is not kept: a program that runs in the background may print any count beside the echo. */
const MAX_CELLS = 16 << 10;

/** A line as it stood when Enter was typed: enough of a terminal for what line editors print. */
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

/** Does what one part of the echo says; gives where the cursor is then. */
function place(part: string, at: number, cells: string[], column: number, columns: number): number {
  const [, count = '', final = ''] = /^\x1b\[([0-9]*)([A-Za-z@])$/.exec(part) ?? [];
  const by = Math.min(columns, Math.max(1, Number(count)));
  if (part === '\b') return Math.max(column, at - 1);
  // Back to the start of the row that it is in; the prompt's stands in the first.
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
