/** How long the program of a terminal has run. It knows no door. */
import type { TerminalDetail } from '../contract/terminal.js';

/** From its start to its end, or so far, in milliseconds. */
export function runningMs({ created, ended }: Pick<TerminalDetail, 'created' | 'ended'>): number {
  return (ended === null ? Date.now() : Date.parse(ended)) - Date.parse(created);
}
