/** Bytes that are asked for in order and one small piece at a time, read many at once. It knows no line. */

/** Read at once. */
const AHEAD_BYTES = 32 << 10;

export class ReadAhead {
  readonly #read: (from: number, to: number) => Buffer;
  #from = 0;
  #bytes: Buffer = Buffer.alloc(0);

  /** @param read - Gives the bytes from one offset to another, or the first of them; valid as long as this is used. */
  constructor(read: (from: number, to: number) => Buffer) {
    this.#read = read;
  }

  /** As `read` gives them. */
  bytes(from: number, to: number): Buffer {
    if (from < this.#from || to > this.#from + this.#bytes.length) {
      this.#bytes = this.#read(from, Math.max(to, from + AHEAD_BYTES));
      this.#from = from;
    }
    return this.#bytes.subarray(from - this.#from, to - this.#from);
  }
}
