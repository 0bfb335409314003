/**
 * Waits with a time limit; the caller can also end the wait early. Uses a timer instead of `AbortSignal.any`: a
 * composed signal does not keep a signal made by `AbortSignal.timeout` from being garbage collected, and then never
 * aborts.
 */

/**
 * Abort reason for signals whose reason is not used. Without a reason, each abort would create an error with a stack.
 */
export const OVER = 'over';

/**
 * Runs a wait under a signal that aborts when `ms` have passed, when `giveUp` aborts, and in any case when the wait is
 * over, so that everything it has started ends with it.
 */
export async function withTimeLimit<Answer>(
  ms: number,
  giveUp: AbortSignal | undefined,
  wait: (end: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const end = new AbortController();
  const abort = (): void => end.abort(OVER);
  const timer = setTimeout(abort, ms);
  giveUp?.addEventListener('abort', abort);
  if (giveUp?.aborted === true) abort();
  try {
    return await wait(end.signal);
  } finally {
    clearTimeout(timer);
    giveUp?.removeEventListener('abort', abort);
    abort();
  }
}
