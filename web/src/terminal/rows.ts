/**
 * Maps commands and numbered lines to rows of the emulator. A line is a row together with the rows that continue it.
 * Pure.
 */
import type { CommandRecord } from '../../../src/contract/command.js';
import type { OutputPage } from '../../../src/contract/output.js';
import { textOf } from '../ui/colours.js';

/** The place of a row, which the emulator keeps up to date; `-1` once the row has been removed. */
export interface Mark {
  readonly line: number;
}

/** The rows of one command. */
export interface CommandMarks {
  readonly commandId: number;
  /** The line that the command was typed in; null if it is above the first row. */
  readonly typed: Mark | null;
  /** The row where its output begins; null if that is above the first row. */
  readonly begin: Mark | null;
  /** The row after its output; null while it is running. */
  readonly end: Mark | null;
}

/** Lines that are final, numbered from `from` on; the screen begins with the line after them. */
export interface LinesAbove {
  readonly from: number;
  readonly lines: readonly string[];
  /** The lines on the screen, if its program has ended. */
  readonly screen?: readonly string[];
}

type IsWrapped = (row: number) => boolean;
type Placed = Pick<CommandRecord, 'commandId' | 'fromLine' | 'toLine'>;

/**
 * Returns the lines of the page that are above a screen taken at this offset, or null if the page does not tell. It
 * does if it was read at the same offset, or if no line has left the screen since before the screen was taken.
 *
 * @param before - The first line that could still change, before the screen was taken; null if unknown.
 */
export function linesOf(page: OutputPage, at: number, before: number | null): LinesAbove | null {
  const { fromLine, mutableFrom, isActive, stats } = page;
  if (!isActive || (stats.totalBytes !== at && mutableFrom !== before)) return null;
  if (fromLine >= mutableFrom) return { from: mutableFrom, lines: [] };
  return { from: fromLine, lines: linesIn(page).slice(0, mutableFrom - fromLine) };
}

/**
 * Returns the lines of the page that are above and on the last screen of a program, or null if the screen shows
 * something else. All lines are final by then, so the rows of the screen tell which of them it shows.
 */
export function endedLinesOf(page: OutputPage, rows: readonly string[]): LinesAbove | null {
  const lines = linesIn(page);
  const shown = countShown(lines.map(textOf), rows);
  if (shown === null) return null;
  const first = lines.length - shown;
  return { from: page.totalLines - lines.length, lines: lines.slice(0, first), screen: lines.slice(first) };
}

const linesIn = ({ output, stats }: OutputPage): string[] => (stats.linesShown === 0 ? [] : output.split('\n'));
const isFull = (text: string): boolean => text !== '';

/** Returns how many of the last lines these rows show, or null if they do not show exactly some of the last lines. */
function countShown(lines: readonly string[], rows: readonly string[]): number | null {
  let line = lines.findLastIndex(isFull);
  let rest: string | null = null;
  for (const row of rows.slice(0, rows.findLastIndex(isFull) + 1).reverse()) {
    rest ??= lines[line--] ?? null;
    if (rest === null || !rest.endsWith(row) || (row === '' && rest !== '')) return null;
    rest = rest === row ? null : rest.slice(0, rest.length - row.length);
  }
  return rest === null ? lines.length - 1 - line : null;
}

/** Returns the first row of the line that this row belongs to. */
export function lineStart(isWrapped: IsWrapped, row: number): number {
  let start = row;
  while (start > 0 && isWrapped(start)) start--;
  return start;
}

/** Returns the number of lines that begin in these rows, both included. */
export function linesBetween(isWrapped: IsWrapped, from: number, to: number): number {
  let count = 0;
  for (let row = from; row <= to; row++) if (!isWrapped(row)) count++;
  return count;
}

/**
 * Returns the first row of each line.
 *
 * @param known - A line and its first row.
 * @param last - The last row.
 */
export function rowsOfLines(isWrapped: IsWrapped, known: { row: number; line: number }, last: number) {
  const rows = new Map<number, number>();
  let { line } = known;
  for (let row = known.row; row >= 0; row--) if (!isWrapped(row)) rows.set(line--, row);
  line = known.line;
  for (let row = known.row + 1; row <= last; row++) if (!isWrapped(row)) rows.set(++line, row);
  return rows;
}

/** Where a command is: rows, or -1 for a place above the first row. `end` is null while the command is running. */
export interface CommandRows {
  readonly typed: number;
  readonly begin: number;
  readonly end: number | null;
}

/**
 * Returns the rows of a command whose output was printed earlier, or null if they are not known or all above.
 *
 * @param firstLine - Number of the first line that the emulator has.
 */
export function rowsOf(
  { fromLine, toLine }: Placed,
  rows: ReadonlyMap<number, number>,
  firstLine: number,
  isWrapped: IsWrapped,
): CommandRows | null {
  if (toLine !== null && toLine < firstLine) return null;
  const begin = fromLine < firstLine ? -1 : rows.get(fromLine);
  const end = toLine === null ? null : rows.get(toLine);
  if (begin === undefined || end === undefined) return null;
  return { typed: begin < 1 ? -1 : lineStart(isWrapped, begin - 1), begin, end };
}

const rowOf = (mark: Mark | null): number => mark?.line ?? -1;

/** Returns the commands whose lines are among `count` rows from `first` on, with the index of the row. */
export function glyphsIn(
  all: readonly CommandMarks[],
  first: number,
  count: number,
): { readonly commandId: number; readonly index: number }[] {
  return all
    .map(({ commandId, typed }) => ({ commandId, index: rowOf(typed) - first }))
    .filter(({ index }) => index >= 0 && index < count);
}

/** Returns the command whose output this row belongs to, the innermost if there are several, or null. */
export function ownerOf(all: readonly CommandMarks[], row: number): number | null {
  let owner: CommandMarks | null = null;
  for (const each of all) {
    const isInside = rowOf(each.begin) <= row && (each.end === null || rowOf(each.end) > row);
    if (isInside && (owner === null || rowOf(each.begin) >= rowOf(owner.begin))) owner = each;
  }
  return owner?.commandId ?? null;
}
