/** Ends what a process holds before a signal ends the process. It knows nothing of what that is. */

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Beyond the two seconds that programs have before SIGKILL, and the six that SIGKILL may take where much is going on. */
const LONGEST_MS = 15_000;

/**
 * From now on SIGINT (Ctrl-C), SIGTERM and SIGHUP first have `end` called, once, and when that is done, or has failed, or
 * has taken 15 seconds, end the process as they would have. Where others have handlers of the same signal, the end of the
 * process is theirs. SIGKILL, `process.exit` and what nobody catches do not wait for anything.
 *
 * @param end - Ends what would be left, as `() => manager.close()`.
 * @returns Makes signals what they were before. While `end` is called they stay as they are.
 */
export function endOnSignal(end: () => Promise<unknown>): () => void {
  let isEnding = false;
  const remove = (): void => {
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    // A terminal that is closed sends several, and so do those who pass on Ctrl-C.
    if (isEnding) return;
    isEnding = true;
    void settled(end).then(() => {
      remove();
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  return () => {
    if (!isEnding) remove();
  };
}

/** Resolves when `end` is done, however; bounded. */
async function settled(end: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const longest = new Promise<void>((resolve) => (timer = setTimeout(resolve, LONGEST_MS)));
  const ended = Promise.resolve().then(end).then(nothing, nothing);
  await Promise.race([ended, longest]);
  clearTimeout(timer);
}

function nothing(): void {}
