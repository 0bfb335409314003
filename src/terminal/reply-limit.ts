/**
 * Bounds what the emulator types as replies to queries. A file of queries that is printed would otherwise leave so many
 * replies to the shell that comes next that it reads them for half a minute. Does not depend on what is asked.
 */

/**
 * A program that asks again and again, as those do that measure characters, waits for each reply: what it prints in
 * between arrives in one read. Each read therefore allows this much, which is twice the longest reply.
 */
const BYTES_PER_READ = 64;
/** Some dozens of replies: more than programs ask for at once when they start. */
const BYTES_PER_SECOND = 2048;
/** A program that does not read gets no more replies when this much input is waiting for it. */
const MAX_PENDING_BYTES = 64 << 10;
const MS_PER_SECOND = 1000;

export class ReplyLimit {
  readonly #now: () => number;
  #second = -1;
  #left = BYTES_PER_SECOND;

  /** @param now - Milliseconds on a clock that is never set. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The program has printed something; what it asks in it is counted. */
  onRead(): void {
    const second = Math.floor(this.#now() / MS_PER_SECOND);
    this.#left = Math.max(this.#left, second === this.#second ? BYTES_PER_READ : BYTES_PER_SECOND);
    this.#second = second;
  }

  /**
   * Whether a reply of this length may be typed; counts it if so.
   *
   * @param pendingBytes - Input that is already waiting.
   */
  admits(length: number, pendingBytes: number): boolean {
    if (length > this.#left || pendingBytes >= MAX_PENDING_BYTES) return false;
    this.#left -= length;
    return true;
  }
}
