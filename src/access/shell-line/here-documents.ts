/** Here-documents: the texts that follow a line with `<<`. Does not depend on commands. */
import type { Cursor } from './cursor.js';
import { NotReadable } from './found.js';

/** How a here-document ends, and whether the shell expands it. */
export interface Delimiter {
  readonly text: string;
  /** Whether leading tabs of its lines are removed. */
  readonly isIndented: boolean;
  readonly isQuoted: boolean;
}

export class HereDocuments {
  readonly #cursor: Cursor;
  readonly #onBody: (body: string) => void;
  #expected: Delimiter[] = [];

  /** @param onBody - Called with the text of each here-document that the shell expands. */
  constructor(cursor: Cursor, onBody: (body: string) => void) {
    this.#cursor = cursor;
    this.#onBody = onBody;
  }

  get areRead(): boolean {
    return this.#expected.length === 0;
  }

  expect(delimiter: Delimiter): void {
    this.#expected.push(delimiter);
  }

  /** At the start of a line: reads all pending here-documents. */
  read(): void {
    const expected = this.#expected;
    this.#expected = [];
    for (const delimiter of expected) {
      const body = this.#bodyUpTo(delimiter);
      if (!delimiter.isQuoted) this.#onBody(body);
    }
  }

  #bodyUpTo({ text, isIndented }: Delimiter): string {
    const lines: string[] = [];
    for (;;) {
      if (this.#cursor.isAtEnd) throw new NotReadable('a here-document has no end');
      const line = this.#cursor.restOfLine();
      this.#cursor.take('\n');
      if ((isIndented ? line.replace(/^\t+/, '') : line) === text) return lines.join('\n');
      lines.push(line);
    }
  }
}
