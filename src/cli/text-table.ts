/** Formats rows of cells as aligned text. Pure; independent of the content. */

const GAP = '  ';

/** Formats each column as wide as its widest cell, without trailing spaces. Each cell must be a single line. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const columnCount = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columnCount }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => pad(cell, widths[column]!))
          .join(GAP)
          .trimEnd()}\n`,
    )
    .join('');
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(width - widthOf(cell));
}

/** Returns the width of a line of text. Colour sequences have no width. */
export function widthOf(cell: string): number {
  return [...cell.replace(/\x1b\[[\d;]*m/g, '')].length;
}
