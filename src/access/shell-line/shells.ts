/**
 * Describes shells as programs: which of them parse lines as `parseLine` does, and how they receive a line as an
 * argument. Pure.
 */
import type { Argument } from './line-analysis.js';

const PARSING_ALIKE = ['bash', 'rbash', 'sh', 'dash', 'ash', 'zsh', 'mksh', 'fish'];
const OTHERS = ['ksh', 'ksh93', 'oksh', 'yash', 'csh', 'tcsh', 'elvish', 'nu', 'xonsh', 'pwsh', 'osh', 'ysh'];
/** Options that leave a shell reading commands only from its terminal. */
const INTERACTIVE = ['-i', '-l', '--login', '-il', '-li'];
/** Options without a value. `c` can only come last in a word, because fish takes the rest of the word as the line. */
const PLAIN_OPTION = /^-(?:[eilux]+[co]?|[co]|-login|-norc|-noprofile)$/;

export function isShell(name: string): boolean {
  return PARSING_ALIKE.includes(name) || OTHERS.includes(name);
}

/** Returns whether a shell parses a line as `parseLine` does. */
export function parsesAlike(name: string): boolean {
  return PARSING_ALIKE.includes(name);
}

/** Returns whether a program is an interactive shell without a command to run. */
export function isInteractiveShell(name: string, args: readonly Argument[]): boolean {
  return isShell(name) && args.every((argument) => INTERACTIVE.includes(String(argument)));
}

/** What a shell runs: a line, its stdin or a file; null if its arguments do not determine it. */
export type ShellTask = { readonly line: string } | 'stdin' | 'file' | null;

export function taskOfShell(args: readonly Argument[]): ShellTask {
  let at = 0;
  for (; typeof args[at] === 'string' && PLAIN_OPTION.test(String(args[at])); at++) {
    const option = String(args[at]);
    if (/^-[a-z]*c$/.test(option)) return taskAfterC(args.slice(at + 1));
    if (/^-[a-z]*o$/.test(option) && args[++at] !== 'pipefail') return null;
  }
  const operand = args[at];
  if (operand === undefined) return 'stdin';
  return typeof operand === 'string' && !/^[-+]/.test(operand) ? 'file' : null;
}

/**
 * Returns the task of a shell with these arguments after `-c`. Null if there are further options, such as a second
 * `-c`, because fish would interpret them itself.
 */
function taskAfterC(args: readonly Argument[]): ShellTask {
  const isPlain = args.every((word) => typeof word === 'string' && !/^[-+]/.test(word));
  return isPlain && args.length > 0 ? { line: String(args[0]) } : null;
}
