/** Work done in steps, so that whoever has it done can do something else between one and the next. Pure. */

/** Yields the number of the first line that the next step needs; Infinity if it needs none. */
export type Steps<Result> = Generator<number, Result, void>;

/** A step takes so many lines, or characters; a few milliseconds. */
export const STEP_LINES = 2048;
export const STEP_CHARS = 256 << 10;

/** All steps at once. */
export function done<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** `change` of each, in steps that need no lines. */
export function* mapped<From, To>(all: readonly From[], change: (one: From) => To): Steps<To[]> {
  const results: To[] = [];
  for (const one of all) {
    results.push(change(one));
    if (results.length % STEP_LINES === 0) yield Infinity;
  }
  return results;
}
