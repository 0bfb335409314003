/** Decides whether a terminal's output may be left unread for a while. */
import type { ShellStack } from './shell-stack.js';

/** Returns whether output may be left unread. A shell that runs no command replies with marks and would seem silent. */
export function mayPause(shell: ShellStack | null): boolean {
  return shell === null || (shell.running !== null && !shell.isIntegrating);
}
