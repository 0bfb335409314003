/** A position in the text of a line, which only moves forward. Does not depend on the grammar. */
import { NotReadable } from './found.js';

export class Cursor {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** Returns the character `ahead` positions on, or an empty string after the end. */
  peek(ahead = 0): string {
    return this.text[this.#at + ahead] ?? '';
  }

  /** Consumes one character. */
  next(): string {
    return this.text[this.#at++] ?? '';
  }

  /** Consumes `expected` if it is here. */
  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** Consumes what a sticky regular expression matches here; returns null if it does not match. */
  match(sticky: RegExp): string | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.text);
    if (found === null) return null;
    this.#at = sticky.lastIndex;
    return found[0];
  }

  /** Consumes everything up to and including `end`. Returns the text before it. */
  through(end: string): string {
    const stop = this.text.indexOf(end, this.#at);
    if (stop < 0) throw new NotReadable(`${end === '\n' ? 'a line' : end} is missing`);
    const taken = this.text.slice(this.#at, stop);
    this.#at = stop + end.length;
    return taken;
  }

  /** Consumes the rest of this line, without the line end. */
  restOfLine(): string {
    const stop = this.text.indexOf('\n', this.#at);
    const taken = this.text.slice(this.#at, stop < 0 ? undefined : stop);
    this.#at += taken.length;
    return taken;
  }
}
