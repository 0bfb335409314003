/** How often each fault is brought about, and pseudo-random numbers that depend on the run alone. */
import { DEEP, runs } from '../deep.js';

export const FAULT_RUNS = runs({ normal: 2, deep: 20 });
/** For all runs of one test; in the deep run they share the cores with a busy process for each. */
export const FAULT_TIMEOUT_MS = DEEP ? 520_000 : 60_000;

/** Does it once for each run, one after the other; what fails says in which run. */
export async function repeatedly(attempt: (run: number) => Promise<void>): Promise<void> {
  for (let run = 0; run < FAULT_RUNS; run++) {
    try {
      await attempt(run);
    } catch (error) {
      if (error instanceof Error) error.message = `in run ${run} of ${FAULT_RUNS}: ${error.message}`;
      throw error;
    }
  }
}

/** A whole number from 0 to `limit` - 1, the same for the same run and purpose. */
export function anyNumber(run: number, purpose: number, limit: number): number {
  let state = Math.imul(run + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
  return ((state ^ (state >>> 15)) >>> 0) % limit;
}
