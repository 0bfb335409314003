/** Takes the middle out of a text that is too long, and says in it how much. Pure. */

/** What is said of the middle takes no more. */
const NOTE_CHARS = 64;

/** A text of `maxChars` at most, however little that is; shorter ones as they are. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return withoutMiddle(text, Math.max(0, maxChars - NOTE_CHARS), 'characters').slice(0, Math.max(0, maxChars));
}

/**
 * Start and end of a text, and how much is left out between them.
 *
 * @param keptChars - Of both together; no half of a character is left.
 */
export function withoutMiddle(text: string, keptChars: number, what: string): string {
  const half = Math.floor(keptChars / 2);
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '');
  return `${start} [… ${inWords(text.length - start.length - end.length)} ${what} left out …] ${end}`;
}

export function inWords(count: number): string {
  return count.toLocaleString('en-US');
}
