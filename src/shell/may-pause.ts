/** Decides whether a terminal's output may be left unread for a while. */
import type { ShellStack } from './shell-stack.js';

/**
 * Returns whether output may be left unread. Not while a shell is running no command, because its replies are marks in
 * the output, and it would seem silent.
 */
export function mayPause(shell: ShellStack | null): boolean {
  return shell === null || (shell.running !== null && !shell.isIntegrating);
}
