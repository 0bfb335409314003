/** Shortens a string by replacing its middle with a note of how many characters were removed. Pure. */

/** Maximum length of the note. */
const NOTE_CHARS = 64;

/** Returns a string of at most `maxChars` characters, however small that is. A shorter string is returned unchanged. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return withoutMiddle(text, Math.max(0, maxChars - NOTE_CHARS), 'characters').slice(0, Math.max(0, maxChars));
}

/**
 * Returns the start and end of a string with a note between them that says how much was left out.
 *
 * @param keptChars - Total length of both ends. Surrogate pairs are not split.
 */
export function withoutMiddle(text: string, keptChars: number, what: string): string {
  const half = Math.floor(keptChars / 2);
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '');
  return `${start} [… ${formatCount(text.length - start.length - end.length)} ${what} left out …] ${end}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
