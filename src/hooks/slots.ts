/** Limits how many operations run at the same time. Others wait for their turn, in order. */

export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves to a function that frees the slot. @throws The reason of `signal` if it has aborted. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    const release = () => this.#release();
    if (!signal.aborted) return release;
    release();
    throw signal.reason as Error;
  }

  /** Passes the slot to the next waiting operation, if any. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
