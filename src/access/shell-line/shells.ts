/** Shells as programs: which parse lines like `parseLine`, and how they receive a line as an argument. Pure. */
import type { Argument } from './line-analysis.js';

const PARSING_ALIKE = ['bash', 'rbash', 'sh', 'dash', 'ash', 'zsh', 'mksh', 'fish'];
const OTHERS = ['ksh', 'ksh93', 'oksh', 'yash', 'csh', 'tcsh', 'elvish', 'nu', 'xonsh', 'pwsh', 'osh', 'ysh'];
/** Options with which a shell only reads its terminal. */
const INTERACTIVE = ['-i', '-l', '--login', '-il', '-li'];
/** `c` comes last, because fish takes the rest of the word for the line. */
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

/** What a shell runs: a line, its stdin, a file, or null if its arguments do not tell. */
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

/** Returns the task of the arguments after `-c`. fish would take further options, such as a second `-c`, as its own. */
function taskAfterC(args: readonly Argument[]): ShellTask {
  const isPlain = args.every((word) => typeof word === 'string' && !/^[-+]/.test(word));
  return isPlain && args.length > 0 ? { line: String(args[0]) } : null;
}
