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

/** Characters that take effect in a terminal but that JSON does not escape. */
const UNESCAPED = /[\x7f-\x9f\u2028\u2029]/g;

/** Returns a value as JSON in which no character takes effect in a terminal. */
export function printableJson(value: unknown, indent = 0): string {
  const escape = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(UNESCAPED, escape);
}
