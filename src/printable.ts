/** Text that may hold anything, made fit to be shown on a terminal. Pure; it knows nothing of what the text says. */

/** C0 and DEL, C1, what turns text or has no width, and what is no character: all that a terminal may obey or hide. */
const UNFIT = /\p{C}/gu;

/** For one line: each such character is shown as `?`. */
export function printable(text: string): string {
  return text.replace(UNFIT, '?');
}

/** The same, of text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
