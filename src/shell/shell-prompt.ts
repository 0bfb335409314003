/**
 * Determines from the kernel's reports whether a program that is waiting for input is a shell at its prompt, and
 * therefore not asking a question. Types nothing and changes nothing.
 */
import type { InputWait } from '../contract/command.js';
import { knowsPrompt, promptReading } from '../processes/prompt-reading.js';
import { argumentsOf, isInteractive, isSubshell } from './nested/find.js';
import { isShell } from './nested/interpreters.js';

/** Shells that are never integrated. */
const OTHER_SHELLS = /^(?:t?csh|nu|elvish|pwsh)$/;

/**
 * Returns whether a waiting program is a shell at its prompt. A shell that reads with its line editor counts, although
 * `read -e` does the same: only a key typed into it could tell the difference.
 *
 * @param tty - Path of the terminal that it is reading.
 */
export async function isShellAtPrompt({ by, kind, pid }: InputWait, tty: string | null): Promise<boolean> {
  if (pid === null || kind === 'password') return false;
  if (OTHER_SHELLS.test(by)) return argumentsOf(pid).every((argument) => argument.startsWith('-'));
  if (!isShell(by) || !isInteractive(pid) || isSubshell(pid)) return false;
  return !knowsPrompt(pid) || (await promptReading(pid, tty)) !== null;
}
