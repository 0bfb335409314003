/**
 * Splits a byte stream into lines, wherever chunks end, and buffers at most one line. Pure, and independent of the
 * protocol.
 */

/** Maximum length of a line that is examined. A longer line is passed on in pieces as it arrives. */
export const MAX_EXAMINED_BYTES = 4 << 20;

const NEWLINE = 0x0a;

export interface LineChunk {
  readonly bytes: Buffer;
  /** Whether this is one whole line, including its line ending. */
  readonly isLine: boolean;
  /** Whether a new line begins after this. */
  readonly isLineEnd: boolean;
}

export class LineSplitter {
  readonly #maxBytes: number;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Whether the next bytes continue an overlong line. */
  #isLong = false;

  constructor(maxBytes = MAX_EXAMINED_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Splits a chunk. Taken together, the pieces contain all bytes received, in order. */
  split(chunk: Buffer): LineChunk[] {
    const chunks: LineChunk[] = [];
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      chunks.push(this.#line(chunk.subarray(at, end + 1)));
      at = end + 1;
    }
    if (at < chunk.length) chunks.push(...this.#keep(chunk.subarray(at)));
    return chunks;
  }

  /** Returns what remains when the stream ends: the start of a line without a line ending. */
  end(): LineChunk[] {
    return this.#keptBytes === 0 ? [] : [{ bytes: this.#take(), isLine: false, isLineEnd: false }];
  }

  #line(rest: Buffer): LineChunk {
    const isLine = !this.#isLong && this.#keptBytes + rest.length <= this.#maxBytes;
    this.#isLong = false;
    this.#kept.push(rest);
    return { bytes: this.#take(), isLine, isLineEnd: true };
  }

  #keep(start: Buffer): LineChunk[] {
    this.#kept.push(start);
    this.#keptBytes += start.length;
    if (!this.#isLong && this.#keptBytes <= this.#maxBytes) return [];
    this.#isLong = true;
    return [{ bytes: this.#take(), isLine: false, isLineEnd: false }];
  }

  #take(): Buffer {
    const bytes = this.#kept.length === 1 ? this.#kept[0]! : Buffer.concat(this.#kept);
    this.#kept = [];
    this.#keptBytes = 0;
    return bytes;
  }
}
