/**
 * Waiting no longer than a time, nor than a caller wants. Made by hand of a timer: a signal composed of others by
 * `AbortSignal.any` does not keep one made by `AbortSignal.timeout` from being collected, and then it never aborts.
 */

/** To abort with where nobody asks why: without a reason, each time would make an error with a stack. */
export const OVER = 'over';

/**
 * Runs a wait under a signal that aborts when `ms` are over or `giveUp` aborts, and in any case when the wait is over,
 * so that whatever it has begun ends with it.
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
