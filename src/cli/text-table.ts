/** Formats rows of cells as aligned text, and objects with a template such as `{{id}} {{lastCommand.text}}`. Pure. */
import { didYouMean } from '../nearest.js';
import { printable } from '../printable.js';

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

/** `{{id}}`, or `{{.id}}` as docker writes it. */
const FIELD = /\{\{\s*\.?([\w-]+(?:\.[\w-]+)*)\s*\}\}/g;

/** Returns what is wrong with the fields of a template, or undefined if each begins with the name of a known one. */
export function formatProblem(template: string, known: readonly string[]): string | undefined {
  const names = [...template.matchAll(FIELD)].map(([, path]) => path!.split('.')[0]!);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return `unknown field ${unknown}.${didYouMean(unknown, known)} Fields: ${known.join(', ')}.`;
}

/** Returns one line: the template with the values of the object. `\t` in it is a tab, `\n` a line end. */
export function formatted(template: string, value: object): string {
  const escaped = template.replaceAll('\\t', '\t').replaceAll('\\n', '\n');
  return `${escaped.replace(FIELD, (_field, path: string) => shown(valueAt(value, path.split('.'))))}\n`;
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return name === undefined ? value : null;
  return valueAt(Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null, rest);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
