/**
 * Writes one direction of the protocol: lines that pass through and, between whole lines, inserted ones. Does not treat
 * it as an error if the reader has closed the stream.
 */
import type { Writable } from 'node:stream';

export class LineWriter {
  /** Number of bytes passed through so far, not counting inserted lines. */
  passedBytes = 0;
  readonly #stream: Writable;
  /** Lines that were inserted while a line was incomplete. */
  #waiting: Buffer[] = [];
  readonly #waiters: (() => void)[] = [];
  #isMidLine = false;
  #isGone = false;
  #isEnded = false;
  readonly #onGone: () => void;

  /** @param onGone - Called once when the reader has closed the stream. */
  constructor(stream: Writable, onGone: () => void = () => {}) {
    this.#stream = stream;
    this.#onGone = onGone;
    stream.on('drain', () => this.#relieve());
    stream.on('error', () => this.#leave());
    stream.on('close', () => this.#leave());
  }

  /** Passes bytes through. `isLineEnd` states whether they end with a line ending. */
  pass(bytes: Buffer, isLineEnd: boolean): void {
    this.#write(bytes);
    this.passedBytes += bytes.length;
    this.#isMidLine = !isLineEnd;
    if (!isLineEnd) return;
    for (const line of this.#waiting.splice(0)) this.#write(line);
    this.#relieve();
  }

  /**
   * Inserts a line after everything passed so far, but never within a line, and never after a line without a line
   * ending.
   */
  insert(line: Buffer): void {
    if (this.#isMidLine) this.#waiting.push(line);
    else this.#write(line);
  }

  /** Combines the writes until `uncork`. */
  cork(): void {
    this.#stream.cork();
  }

  uncork(): void {
    this.#stream.uncork();
  }

  /** Whether the reader reads more slowly than data is being written. */
  get isBehind(): boolean {
    return this.#waiting.length > 0 || this.#stream.writableNeedDrain;
  }

  /** Resolves when the stream accepts more, or immediately if the reader has closed it. */
  async ready(): Promise<void> {
    while (!this.#isGone && this.#stream.writableNeedDrain) await this.#relieved();
  }

  /** Resolves when at most this many bytes are waiting for the reader. */
  async below(bytes: number): Promise<void> {
    while (!this.#isGone && this.#backlog > bytes) await this.#relieved();
  }

  get #backlog(): number {
    return this.#stream.writableLength + this.#waiting.reduce((sum, line) => sum + line.length, 0);
  }

  /** Resolves when the amount of waiting data may next have decreased. */
  #relieved(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #relieve(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** Ends the stream once everything has been written. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stream.end();
  }

  /** Resolves when everything written has been read or can no longer be read. */
  async flushed(): Promise<void> {
    if (this.#isGone) return;
    await new Promise<void>((resolve) => {
      this.#stream.once('close', resolve);
      this.#stream.write('', () => resolve());
    });
  }

  #write(bytes: Buffer): void {
    if (!this.#isGone && !this.#isEnded) this.#stream.write(bytes);
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#waiting = [];
    this.#relieve();
    this.#onGone();
  }
}
