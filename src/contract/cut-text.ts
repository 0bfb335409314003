/** Cuts text without leaving half of a character. Pure. */

/** Returns the first `max` UTF-16 units of a string, or one less, so that no surrogate pair is cut in half. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
