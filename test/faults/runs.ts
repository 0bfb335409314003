/** How often each fault is repeated, and pseudo-random numbers that depend only on the run. */
import { DEEP, runs } from '../deep.js';

export const FAULT_RUNS = runs({ normal: 2, deep: 20 });
/** For all runs of one test. In the deep run, they share each core with a busy process. */
export const FAULT_TIMEOUT_MS = DEEP ? 520_000 : 60_000;

/** Runs the attempt once per run, sequentially. A failure says in which run it occurred. */
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

/** Returns an integer from 0 to `limit` - 1, the same for the same run and purpose. */
export function anyNumber(run: number, purpose: number, limit: number): number {
  let state = Math.imul(run + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
  return ((state ^ (state >>> 15)) >>> 0) % limit;
}
