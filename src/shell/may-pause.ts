/** Decides whether a terminal's output may be left unread for a while. */
import type { ShellStack } from './shell-stack.js';

/** Only while a command is running: otherwise, the shell replies with marks, and would appear to be silent. */
export function mayPause(shell: ShellStack | null): boolean {
  return shell === null || (shell.running !== null && !shell.isIntegrating);
}
