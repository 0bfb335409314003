/**
 * Bounds the replies that the emulator types in response to queries. Otherwise, printing a file of queries would leave
 * so many replies that the next shell would spend half a minute reading them.
 */

/**
 * A program that sends queries repeatedly, for example to measure characters, waits for each reply, and its output in
 * between arrives in one read. Each read therefore allows this much, which is twice the longest reply.
 */
const BYTES_PER_READ = 64;
/** A few dozen replies: more than programs request at once when they start. */
const BYTES_PER_SECOND = 2048;
/** A program that is not reading gets no more replies once this much input is waiting for it. */
const MAX_PENDING_BYTES = 64 << 10;
const MS_PER_SECOND = 1000;

export class ReplyLimit {
  readonly #now: () => number;
  #second = -1;
  #left = BYTES_PER_SECOND;

  /** @param now - Milliseconds on a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Call when the program has printed something, which may contain queries. */
  onRead(): void {
    const second = Math.floor(this.#now() / MS_PER_SECOND);
    this.#left = Math.max(this.#left, second === this.#second ? BYTES_PER_READ : BYTES_PER_SECOND);
    this.#second = second;
  }

  /**
   * Returns whether a reply of this length may be typed; if so, counts it.
   *
   * @param pendingBytes - Input that is already waiting.
   */
  admits(length: number, pendingBytes: number): boolean {
    if (length > this.#left || pendingBytes >= MAX_PENDING_BYTES) return false;
    this.#left -= length;
    return true;
  }
}
