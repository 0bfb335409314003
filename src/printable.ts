/** Makes arbitrary text safe to show on a terminal. Pure; independent of the text's meaning. */

/**
 * Everything that a terminal may interpret or hide: C0 and C1 controls, DEL, bidirectional controls, and zero-width and
 * unassigned characters.
 */
const UNFIT = /\p{C}/gu;

/** Replaces each character in a line that a terminal may interpret or hide with `?`. */
export function printable(text: string): string {
  return text.replace(UNFIT, '?');
}

/** Like `printable`, but keeps the line endings of multi-line text. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
