/** Waits for a host's response even if the host is replaced in the meantime. */
import { isError, MAX_LOSSES } from './hosts.js';

/** Repeats a wait for the remaining time if the host is lost. */
export async function waitAcrossHostLoss(
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
