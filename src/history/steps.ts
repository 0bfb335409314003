/** Divides work into steps, so that the caller can do other work in between. Pure. */

/** Yields the number of the first line that the next step needs; Infinity if it needs none. */
export type StepGenerator<Result> = Generator<number, Result, void>;

/** Maximum number of lines or characters in one step, which takes a few milliseconds. */
export const STEP_LINES = 2048;
export const STEP_CHARS = 256 << 10;

/** Runs all steps at once. */
export function runSteps<Result>(steps: StepGenerator<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Applies `change` to each element, in steps that need no lines. */
export function* mapInSteps<From, To>(all: readonly From[], change: (one: From) => To): StepGenerator<To[]> {
  const results: To[] = [];
  for (const one of all) {
    results.push(change(one));
    if (results.length % STEP_LINES === 0) yield Infinity;
  }
  return results;
}
