/** Something that several wait for and that is done once: it is given up when all of them have left. It knows not what. */

export class Shared<Answer> {
  readonly #left = new AbortController();
  readonly #answer: Promise<Answer>;
  #waiting = 0;

  /** @param begin - Its signal aborts when nobody waits any more. */
  constructor(begin: (left: AbortSignal) => Promise<Answer>) {
    this.#answer = begin(this.#left.signal);
  }

  /** Whether it was given up: who comes now has to begin anew. */
  get isLeft(): boolean {
    return this.#left.signal.aborted;
  }

  /** @param signal - Aborted when this one leaves. */
  async join(signal: AbortSignal): Promise<Answer> {
    const leave = () => {
      if (--this.#waiting === 0) this.#left.abort(signal.reason);
    };
    this.#waiting++;
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      return await this.#answer;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
