/** Runs pieces of work one after the other, in the order in which they were requested. */

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves to the result of `work`, which starts when all earlier work is done, whether that succeeded or not. */
  take<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/**
 * Returns a function that runs `read`, one run at a time. All callers that asked before a run started share its result.
 */
export function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  const turns = new Turns();
  let next: Promise<Result> | undefined;
  const begin = (): Promise<Result> => {
    next = undefined;
    return read();
  };
  return () => (next ??= turns.take(begin));
}
