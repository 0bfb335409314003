/** Runs pieces of work one after another, in the order of the requests. */

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves to the result of `work`, which starts when all earlier work has finished, successfully or not. */
  take<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Returns a function that runs `read`, one run at a time. All calls before a run starts share its result. */
export function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  const turns = new Turns();
  let next: Promise<Result> | undefined;
  const begin = (): Promise<Result> => {
    next = undefined;
    return read();
  };
  return () => (next ??= turns.take(begin));
}
