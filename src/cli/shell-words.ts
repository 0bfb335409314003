/** Quotes words so that a shell reads them back unchanged. Pure. */
import { basename } from 'node:path';

/** Words that need no quotes in any shell. `=` is excluded because an assignment would not be run as a program. */
const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;

/**
 * Formats a program and its arguments as a command line. A single word is treated as shell input and left unchanged.
 *
 * @param shell - Path of the shell that will read it.
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

/** Quotes a word for fish, which escapes two characters within single quotes. */
function fishQuoted(word: string): string {
  return `'${word.replace(/[\\']/g, '\\$&')}'`;
}
