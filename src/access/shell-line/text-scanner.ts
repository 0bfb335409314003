/** A position in the text of a line, which only moves forward. */

/** Thrown where the parser cannot continue; the message names the construct. */
export class UnsupportedSyntax extends Error {}

export class TextScanner {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** Returns the character here, or an empty string after the end. */
  peek(): string {
    return this.text[this.#at] ?? '';
  }

  /** Consumes one character. */
  next(): string {
    return this.text[this.#at++] ?? '';
  }

  /** Consumes what a sticky regular expression matches here; returns null if it does not match. */
  match(sticky: RegExp): string | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.text);
    if (found === null) return null;
    this.#at = sticky.lastIndex;
    return found[0];
  }
}
