/** Error text that says why the shell of a terminal cannot take a command. */
import type { IntegratedShell } from './integrated-shell.js';

/** A shell at its prompt that has sent no mark looks the same as one that runs `read`. */
export function silentWords(shell: IntegratedShell): string {
  const isReading = shell.pid !== null && shell.probe().waiting?.pid === shell.pid;
  if (!isReading) return '';
  return '. Its shell itself reads what is typed: write what it asks for; if it shows its prompt, create a new terminal, as what tells of its commands is gone from this one';
}

/** What a shell is doing when it takes no command although no command runs. */
export const BUSY_WORDS: Readonly<Record<string, string>> = {
  starting: 'its shell has not come to a prompt yet',
  submitted: 'somebody has typed a line that has not come to an end',
  continuation: 'somebody is typing a command of several lines',
  unknown: 'what its shell does is not known',
  settling: 'its shell has not come back to its prompt',
};
