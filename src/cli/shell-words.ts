/** Words as text for a shell that reads them back as they are. Pure. */
import { basename } from 'node:path';

/** Words that no shell takes for more than they are. An assignment would not be a program. */
const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;

/**
 * A program with its arguments, as a line of the shell: one word is text already and left alone.
 *
 * @param shell - Path of the shell that is to read it.
 */
export function asShellText(words: readonly string[], shell: string): string {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return only;
  const quote = basename(shell) === 'fish' ? fishQuoted : quoted;
  return words.map((word) => (PLAIN.test(word) ? word : quote(word))).join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Within single quotes fish has escapes for two characters. */
function fishQuoted(word: string): string {
  return `'${word.replace(/[\\']/g, '\\$&')}'`;
}
