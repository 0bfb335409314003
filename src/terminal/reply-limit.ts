/**
 * Bounds what the emulator types as replies to queries. A file of queries that is printed would otherwise fill the
 * input of the shell that comes next, which may take half a minute to read it. Does not depend on what is asked.
 */

/** Some dozens of replies, of which the longest has 30 bytes: more than programs ask for at once when they start. */
const BURST_BYTES = 2048;
/**
 * A program that asks again and again, as those do that measure characters, waits for each reply: some thousand replies
 * of eight bytes a second.
 */
const BYTES_PER_MS = 64;
/** A program that does not read gets no more replies when this much input is waiting for it. */
const MAX_PENDING_BYTES = 64 << 10;

export class ReplyLimit {
  readonly #now: () => number;
  #at: number;
  #left = BURST_BYTES;

  /** @param now - Milliseconds on a clock that is never set. */
  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  /**
   * Whether a reply of this length may be typed; counts it if so.
   *
   * @param pendingBytes - Input that is already waiting.
   */
  admits(length: number, pendingBytes: number): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#left + (now - this.#at) * BYTES_PER_MS, BURST_BYTES);
    this.#at = now;
    if (length > this.#left || pendingBytes >= MAX_PENDING_BYTES) return false;
    this.#left -= length;
    return true;
  }
}
