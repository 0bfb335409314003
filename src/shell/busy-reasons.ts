/** Provides error text that explains why the shell of a terminal cannot take a command. */
import type { ShellStack } from './shell-stack.js';

/** Returns a hint for a shell that has sent no mark: at its prompt, it looks the same as one that runs `read`. */
export function silentShellHint(shell: ShellStack): string {
  const isReading = shell.pid !== null && shell.probe().waiting?.pid === shell.pid;
  if (!isReading) return '';
  return (
    '. The shell itself reads input: write what it asks for; if it shows its prompt, its integration was removed: ' +
    'create a new terminal'
  );
}

/** What a shell is doing if it takes no command although no command is running. */
export const BUSY_REASONS: Readonly<Record<string, string>> = {
  starting: 'its shell is starting',
  submitted: 'a typed line is still running',
  continuation: 'a command of several lines is being typed',
  unknown: 'the state of its shell is unknown',
  settling: 'its shell has not returned to its prompt; if it asks a question first, answer it',
};
