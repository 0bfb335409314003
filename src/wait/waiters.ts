/** Lets any number of readers wait for the next event. */

export class Waiters {
  #waiting = new Set<() => void>();

  /** Resolves at the next `wake`, or when `signal` aborts; the caller then checks the state itself. */
  next(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal?.addEventListener('abort', done);
    });
  }

  wake(): void {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    for (const done of waiting) done();
  }
}
