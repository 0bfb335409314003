/** Reads the text of `$'…'`, with escapes as in C. Does not depend on the rest of a line. */
import type { Cursor } from './cursor.js';
import { NotReadable } from './found.js';

const SIMPLE: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '?': '?' },
};
const HEXADECIMAL = /x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}/y;
const OCTAL = /[0-7]{1,3}/y;
const PRINTABLE_END = 0x7f;

/** Reads from the opening `'` to the closing one. */
export function ansiText(cursor: Cursor): string {
  let text = '';
  cursor.next();
  while (!cursor.take("'")) {
    if (cursor.isAtEnd) throw new NotReadable('a quote is missing');
    text += cursor.take('\\') ? escaped(cursor) : cursor.next();
  }
  return text;
}

/**
 * Refuses non-ASCII bytes, which are not combined into characters here, and NUL, which ends the text in one shell but
 * not in another.
 */
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
