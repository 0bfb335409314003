/** Ends the wait for a promise when a signal aborts. */

/**
 * Settles as `promise` does, or rejects with the reason of `signal` when it aborts first. The operation itself is not
 * ended; its result is then ignored.
 */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
