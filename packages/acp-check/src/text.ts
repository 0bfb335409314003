/** Text for a person's terminal. Pure; it knows nothing of what it says. */

const GAP = '  ';
/** C0 and DEL, C1, what turns text or has no width: all that a terminal may obey or hide. */
const UNFIT = /\p{C}/gu;
const COLOUR = /\x1b\[[\d;]*m/g;

/** For one line: each character that a terminal would obey or hide is shown as `?`. */
export function printable(text: string): string {
  return text.replace(UNFIT, '?');
}

/** Every column as wide as its widest cell, but for the last one. All rows have the same number of cells. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]!))));
  const lineOf = (row: readonly string[]) =>
    row.map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell))).join(GAP);
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}

/** Colours take no room. */
function widthOf(cell: string): number {
  return [...cell.replace(COLOUR, '')].length;
}
