/** Computes how long a terminal's program has been running. */
import type { TerminalDetail } from '../contract/terminal.js';

/** Returns the number of milliseconds from the start to the end, or until now if the program is still running. */
export function runningMs({ created, ended }: Pick<TerminalDetail, 'created' | 'ended'>): number {
  return (ended === null ? Date.now() : Date.parse(ended)) - Date.parse(created);
}
