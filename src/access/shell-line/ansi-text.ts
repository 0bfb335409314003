/** The text of `$'…'`: escapes as in C. It knows nothing else of a line. */
import type { Cursor } from './cursor.js';
import { NotReadable } from './found.js';

const SIMPLE: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '?': '?' },
};
const HEXADECIMAL = /x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}/y;
const OCTAL = /[0-7]{1,3}/y;
const PRINTABLE_END = 0x7f;

/** Takes what stands from `'` on to its end. */
export function ansiText(cursor: Cursor): string {
  let text = '';
  cursor.next();
  while (!cursor.take("'")) {
    if (cursor.isAtEnd) throw new NotReadable('a quote is missing');
    text += cursor.take('\\') ? escaped(cursor) : cursor.next();
  }
  return text;
}

/** Bytes that are no ASCII, and NUL, which ends the text in one shell and not in the other, are not put together here. */
function escaped(cursor: Cursor): string {
  const digits = cursor.match(HEXADECIMAL);
  const octal = digits === null ? cursor.match(OCTAL) : null;
  const code = digits !== null ? parseInt(digits.slice(1), 16) : octal !== null ? parseInt(octal, 8) : null;
  if (code !== null) {
    if (code === 0 || code >= PRINTABLE_END) throw new NotReadable("a character in `$'…'` that is not plain");
    return String.fromCharCode(code);
  }
  const simple = SIMPLE[cursor.peek()];
  if (simple === undefined) throw new NotReadable("an escape in `$'…'` that is not plain");
  cursor.next();
  return simple;
}
