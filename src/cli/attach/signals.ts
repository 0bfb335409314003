/** Handles the signals that make a command detach from the terminal that it follows. */

const LEAVING = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Calls `leave` with each of these signals that arrives.
 *
 * @param signals - Default: SIGHUP, SIGINT and SIGTERM.
 * @returns A function that removes the handlers.
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
