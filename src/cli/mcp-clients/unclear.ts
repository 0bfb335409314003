/**
 * An error for a configuration file that cannot be read or cannot be changed safely: where, and why. Independent of
 * files.
 */

/** Thrown before anything is written. */
export class Unclear extends Error {
  override readonly name = 'Unclear';
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number;

  /** @param offset - Where it is in `text`. */
  constructor(text: string, offset: number, message: string) {
    super(message);
    const before = text.slice(0, offset).split(/\r\n|\r|\n/);
    this.line = before.length;
    this.column = before.at(-1)!.length + 1;
  }
}
