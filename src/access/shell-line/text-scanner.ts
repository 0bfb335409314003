/** Scans the text of a line from a position that only moves forward. */

/** Thrown at a construct that the parser does not support. The message describes the construct. */
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

  /** Returns the character at the current position, or an empty string at the end. */
  peek(): string {
    return this.text[this.#at] ?? '';
  }

  /** Consumes and returns one character. */
  next(): string {
    return this.text[this.#at++] ?? '';
  }

  /**
   * Consumes and returns what a sticky regular expression matches at the current position; null if it does not match.
   */
  match(sticky: RegExp): string | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.text);
    if (found === null) return null;
    this.#at = sticky.lastIndex;
    return found[0];
  }
}
