/** Waiting for an answer of a host, over the ends of hosts. It knows nothing of what is asked. */
import { isError, MAX_LOSSES } from './hosts.js';

/** Goes on waiting when the host is lost meanwhile, for what is left of the time. */
export async function waitOverLosses(
  timeoutMs: number,
  ask: (leftMs: number, isAgain: boolean) => Promise<unknown>,
): Promise<unknown> {
  const deadline = performance.now() + timeoutMs;
  for (let leftMs = timeoutMs, isAgain = false, losses = 0; ; isAgain = true) {
    try {
      return await ask(leftMs, isAgain);
    } catch (error) {
      leftMs = Math.max(0, Math.ceil(deadline - performance.now()));
      const isTooOften = leftMs === 0 && ++losses > MAX_LOSSES;
      if (!isError(error, ['HOST_LOST']) || isTooOften) throw error;
    }
  }
}
