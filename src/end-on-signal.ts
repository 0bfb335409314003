/** Runs cleanup before a signal ends the process. */

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * Time limit for `end`: more than the two seconds that programs get before SIGKILL plus the six seconds that SIGKILL
 * may take under load.
 */
const LONGEST_MS = 15_000;

/**
 * Registers handlers for SIGINT (Ctrl-C), SIGTERM and SIGHUP. The first signal calls `end`, once. When `end` has
 * finished, failed, or taken 15 seconds, the signal ends the process as usual. If there are other handlers for the
 * signal, they are responsible for ending the process. SIGKILL, `process.exit` and uncaught errors do not wait for
 * `end`.
 *
 * @param end - Releases what would otherwise be left behind, for example with `() => manager.close()`.
 * @returns A function that removes the handlers. They stay in place while `end` is running.
 */
export function endOnSignal(end: () => Promise<unknown>): () => void {
  let isEnding = false;
  const remove = (): void => {
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    // Closing a terminal sends several signals, as do programs that forward Ctrl-C.
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

/** Resolves when `end` has finished or failed, or after the time limit. */
async function settled(end: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const longest = new Promise<void>((resolve) => (timer = setTimeout(resolve, LONGEST_MS)));
  const ended = Promise.resolve().then(end).then(nothing, nothing);
  await Promise.race([ended, longest]);
  clearTimeout(timer);
}

function nothing(): void {}
