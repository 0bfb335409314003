/** Formats text for a person's terminal. Pure, and independent of the content. */

const GAP = '  ';
/**
 * Matches everything that a terminal may interpret or hide: C0 and DEL, C1, bidirectional controls and characters
 * without width.
 */
const UNFIT = /\p{C}/gu;
const COLOUR = /\x1b\[[\d;]*m/g;

/** Sanitizes one line by replacing each character that a terminal would interpret or hide with `?`. */
export function printable(text: string): string {
  return text.replace(UNFIT, '?');
}

/** Makes each column except the last as wide as its widest cell. All rows must have the same number of cells. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]!))));
  const lineOf = (row: readonly string[]) =>
    row.map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell))).join(GAP);
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}

/** Returns the width of a cell, not counting colour sequences. */
function widthOf(cell: string): number {
  return [...cell.replace(COLOUR, '')].length;
}
