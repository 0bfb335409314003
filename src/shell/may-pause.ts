/** Whether the output of a terminal may be left unread for a while. Does not depend on why. */
import type { ShellStack } from './shell-stack.js';

/** Only while a command runs: otherwise the shell answers by marks, and would be taken to be silent. */
export function mayPause(shell: ShellStack | null): boolean {
  return shell === null || (shell.running !== null && !shell.isIntegrating);
}
