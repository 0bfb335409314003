/** The signals on which a command that follows a terminal detaches from it. */

const LEAVING = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Calls `leave` with the first of these signals.
 *
 * @param signals - Which signals. Default: all.
 * @returns A function that restores the signals' default effect.
 */
export function onEndingSignal(
  leave: (signal: NodeJS.Signals) => void,
  signals: readonly NodeJS.Signals[] = LEAVING,
): () => void {
  for (const signal of signals) process.on(signal, leave);
  return () => {
    for (const signal of signals) process.off(signal, leave);
  };
}
