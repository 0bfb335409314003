/** Makes arbitrary text safe to show on a terminal. Pure; independent of the text's meaning. */

/**
 * C0 and DEL, C1, bidirectional controls, zero-width and unassigned characters: everything that a terminal may
 * interpret or hide.
 */
const UNFIT = /\p{C}/gu;

/** Replaces each such character in a line with `?`. */
export function printable(text: string): string {
  return text.replace(UNFIT, '?');
}

/** Like `printable`, but keeps the line endings of multi-line text. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
