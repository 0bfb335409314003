/** Measures the memory that this process holds, without garbage. The resident size of a test process says little. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '../eventually.js';

/**
 * Time for memory that is released a moment later: buffers are freed asynchronously, and timers keep what they
 * reference.
 */
const PATIENCE_MS = 10_000;

/** Bytes in use on the heap and outside it, after garbage collection. */
export function retainedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Returns the retained bytes as soon as they are below `limit`, or after a timeout. */
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
