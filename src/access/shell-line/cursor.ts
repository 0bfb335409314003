/** A place in the text of a line, which only moves on. It knows no grammar. */
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

  /** The character `ahead` places on, or the empty text behind the end. */
  peek(ahead = 0): string {
    return this.text[this.#at + ahead] ?? '';
  }

  /** Takes one character. */
  next(): string {
    return this.text[this.#at++] ?? '';
  }

  /** Takes `expected` if it stands here. */
  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** Takes what a sticky expression matches here; null where it does not. */
  match(sticky: RegExp): string | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.text);
    if (found === null) return null;
    this.#at = sticky.lastIndex;
    return found[0];
  }

  /** Takes all up to `end` and `end` itself; gives what is before it. */
  through(end: string): string {
    const stop = this.text.indexOf(end, this.#at);
    if (stop < 0) throw new NotReadable(`${end === '\n' ? 'a line' : end} is missing`);
    const taken = this.text.slice(this.#at, stop);
    this.#at = stop + end.length;
    return taken;
  }

  /** Takes the rest of this line, without its end. */
  restOfLine(): string {
    const stop = this.text.indexOf('\n', this.#at);
    const taken = this.text.slice(this.#at, stop < 0 ? undefined : stop);
    this.#at += taken.length;
    return taken;
  }
}
