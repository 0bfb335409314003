/**
 * Bounds what the emulator types as replies to queries. A file of queries that is printed would otherwise fill the
 * input of the shell that comes next with megabytes of replies. Does not depend on what is asked.
 */

/**
 * A program that asks again and again, as those that measure characters do, waits for each reply. Each piece of output
 * therefore gets this much in any case: the longest replies have 30 bytes.
 */
const BYTES_PER_PIECE = 64;
/** Far more than programs ask for at once, which they do when they start; and about what the kernel holds unread. */
const BYTES_PER_SECOND = 4096;
const MS_PER_SECOND = 1000;

export class ReplyLimit {
  readonly #now: () => number;
  #second = -1;
  #left = 0;

  /** @param now - Milliseconds on a clock that is never set. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A piece of output follows. */
  begin(): void {
    const second = Math.floor(this.#now() / MS_PER_SECOND);
    this.#left = Math.max(this.#left, second === this.#second ? BYTES_PER_PIECE : BYTES_PER_SECOND);
    this.#second = second;
  }

  /** Whether a reply of this length may be typed; counts it if so. */
  admits(length: number): boolean {
    if (length > this.#left) return false;
    this.#left -= length;
    return true;
  }
}
