/** Computes how long a terminal's program has been running. */
import type { TerminalDetail } from '../contract/terminal.js';

/** Returns the milliseconds from start to end, or to now if it is running. */
export function runningMs({ created, ended }: Pick<TerminalDetail, 'created' | 'ended'>): number {
  return (ended === null ? Date.now() : Date.parse(ended)) - Date.parse(created);
}
