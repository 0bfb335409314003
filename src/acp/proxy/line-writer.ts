/**
 * Writes one direction of the protocol: what passes, and between whole lines what is put in. It knows neither the
 * protocol nor who reads; a reader who is gone is no error.
 */
import type { Writable } from 'node:stream';

export class LineWriter {
  /** So far, without what was put in. */
  passedBytes = 0;
  readonly #stream: Writable;
  /** Put in while a line was only half there. */
  #waiting: Buffer[] = [];
  readonly #waiters: (() => void)[] = [];
  #isMidLine = false;
  #isGone = false;
  #isEnded = false;
  readonly #onGone: () => void;

  /** @param onGone - Called once when the reader has closed it. */
  constructor(stream: Writable, onGone: () => void = () => {}) {
    this.#stream = stream;
    this.#onGone = onGone;
    stream.on('drain', () => this.#relieve());
    stream.on('error', () => this.#leave());
    stream.on('close', () => this.#leave());
  }

  /** Bytes on their way through; `isLineEnd` says whether a line ends with them. */
  pass(bytes: Buffer, isLineEnd: boolean): void {
    this.#write(bytes);
    this.passedBytes += bytes.length;
    this.#isMidLine = !isLineEnd;
    if (!isLineEnd) return;
    for (const line of this.#waiting.splice(0)) this.#write(line);
    this.#relieve();
  }

  /** One line of ours, behind all that was passed; never within a line, and not at all behind one without an end. */
  insert(line: Buffer): void {
    if (this.#isMidLine) this.#waiting.push(line);
    else this.#write(line);
  }

  /** What pieces are written together between. */
  cork(): void {
    this.#stream.cork();
  }

  uncork(): void {
    this.#stream.uncork();
  }

  /** Whether the reader takes less than it is given. */
  get isBehind(): boolean {
    return this.#waiting.length > 0 || this.#stream.writableNeedDrain;
  }

  /** Resolves when it takes more, at once if nobody reads any more. */
  async ready(): Promise<void> {
    while (!this.#isGone && this.#stream.writableNeedDrain) await this.#relieved();
  }

  /** Resolves when no more than so many bytes wait for the reader. */
  async below(bytes: number): Promise<void> {
    while (!this.#isGone && this.#backlog > bytes) await this.#relieved();
  }

  get #backlog(): number {
    return this.#stream.writableLength + this.#waiting.reduce((sum, line) => sum + line.length, 0);
  }

  /** Resolves at the next moment at which less may be waiting. */
  #relieved(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #relieve(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** Ends the stream behind all that was written. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stream.end();
  }

  /** Resolves when all that was written has been taken, or will never be. */
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
