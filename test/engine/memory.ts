/** What this process really holds, garbage left out: the resident size of a test process says little. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '../eventually.js';

/** For what is let go of a moment later: buffers are freed beside the program, timers hold what they wait for. */
const PATIENCE_MS = 10_000;

/** Bytes in use on the heap and outside it, once garbage is collected. */
export function retainedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What is retained as soon as that is less than `limit`; where it does not come to that, after some time. */
export async function retainedOnceBelow(limit: number): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS;
  return eventually(
    () => {
      const retained = retainedBytes();
      return retained < limit || Date.now() > deadline ? retained : 0;
    },
    { within: 2 * PATIENCE_MS },
  );
}
