/** Reads ahead: combines many small, sequential reads into few large ones. */

/** Size of one read. */
const AHEAD_BYTES = 32 << 10;

export class ReadAheadBuffer {
  readonly #read: (from: number, to: number) => Buffer;
  #from = 0;
  #bytes: Buffer = Buffer.alloc(0);

  /**
   * @param read - Returns the bytes from one offset to another, or only the first of them. They must stay valid while
   * this buffer is in use.
   */
  constructor(read: (from: number, to: number) => Buffer) {
    this.#read = read;
  }

  /** Returns bytes in the same way as `read`. */
  bytes(from: number, to: number): Buffer {
    if (from < this.#from || to > this.#from + this.#bytes.length) {
      this.#bytes = this.#read(from, Math.max(to, from + AHEAD_BYTES));
      this.#from = from;
    }
    return this.#bytes.subarray(from - this.#from, to - this.#from);
  }
}
