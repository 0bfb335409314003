/** Selects one page of a list of terminals. */
import { TerminalError } from '../../errors.js';

/**
 * Returns the terminals after the given one.
 *
 * @throws `TERMINAL_NOT_FOUND` if the list does not contain that terminal (any more).
 */
export function behind<Terminal extends { readonly id: string }>(
  terminals: readonly Terminal[],
  after: string | undefined,
): readonly Terminal[] {
  if (after === undefined) return terminals;
  const at = terminals.findIndex(({ id }) => id === after);
  if (at >= 0) return terminals.slice(at + 1);
  const message = `Terminal ${after} is not, or no longer, in this list; start again without after`;
  throw new TerminalError('TERMINAL_NOT_FOUND', message, { terminalId: after });
}

/** Adds `terminalId`, which REST uses everywhere, next to the original API's `id`. */
export function named<Terminal extends { readonly id: string }>(terminal: Terminal): Terminal & { terminalId: string } {
  return { ...terminal, terminalId: terminal.id };
}
