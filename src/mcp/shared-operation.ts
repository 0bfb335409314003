/** Runs an operation once for several callers, and abandons it when all of them have left. */

export class SharedOperation<Answer> {
  readonly #abandoned = new AbortController();
  readonly #answer: Promise<Answer>;
  #waiting = 0;

  /** @param begin - Starts the operation. Its signal aborts when no caller is waiting. */
  constructor(begin: (left: AbortSignal) => Promise<Answer>) {
    this.#answer = begin(this.#abandoned.signal);
  }

  /** Whether the operation was abandoned, so that a new caller has to start it again. */
  get isAbandoned(): boolean {
    return this.#abandoned.signal.aborted;
  }

  /** Returns the result of the operation. @param signal - Aborts when this caller leaves. */
  async join(signal: AbortSignal): Promise<Answer> {
    const leave = () => {
      if (--this.#waiting === 0) this.#abandoned.abort(signal.reason);
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
