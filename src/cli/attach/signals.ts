/** The signals by which a command that follows a terminal is told to leave it. */

const LEAVING = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Calls `leave` with the first of them.
 *
 * @param signals - Which. Default: all.
 * @returns What gives the signals back their own effect.
 */
export function onLeavingSignal(
  leave: (signal: NodeJS.Signals) => void,
  signals: readonly NodeJS.Signals[] = LEAVING,
): () => void {
  for (const signal of signals) process.on(signal, leave);
  return () => {
    for (const signal of signals) process.off(signal, leave);
  };
}
