/** Shells as programs: the grammar that each reads, and where the line is among its arguments. Pure. */
import type { Dialect } from './dialect.js';
import type { Argument } from './found.js';

const DIALECTS: Readonly<Record<string, Dialect | null>> = {
  ...{ bash: 'bash', rbash: 'bash', zsh: 'zsh' },
  ...{ sh: 'sh', dash: 'sh', ash: 'sh' },
  // They evaluate text that the others use literally.
  ...{ ksh: null, ksh93: null, mksh: null, oksh: null, yash: null },
  ...{ fish: null, csh: null, tcsh: null, elvish: null, nu: null, xonsh: null, pwsh: null, osh: null, ysh: null },
};
/** Other options change the meaning of a line. For example, `-k` treats arguments after a command as assignments. */
const PLAIN_LETTERS = /^[-+][ilcsexuvnfCmpra]*[oO]?$/;
const PLAIN_NAMED = [
  ...['errexit', 'nounset', 'pipefail', 'xtrace', 'verbose', 'noclobber', 'noglob', 'monitor', 'posix'],
  ...['extglob', 'nullglob', 'globstar', 'dotglob', 'failglob', 'nocaseglob', 'inherit_errexit'],
];
const PLAIN_LONG = ['--login', '--norc', '--noprofile', '--posix', '--restricted', '--no-rcs', '--verbose'];

/** Returns how a program reads lines, by its name: null if that is unknown, undefined if it is not a shell. */
export function dialectOf(name: string): Dialect | null | undefined {
  return Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined;
}

/** With only these options, a shell reads its terminal and nothing else. */
const INTERACTIVE = ['-i', '-l', '--login', '-il', '-li'];

/** Returns whether a program is a shell started for interactive use, with nothing to run. */
export function isShellToWorkIn(name: string, args: readonly Argument[]): boolean {
  return dialectOf(name) !== undefined && args.every((argument) => INTERACTIVE.includes(String(argument)));
}

export interface ShellArguments {
  /** Given with `-c`; undefined if there is none. */
  readonly line?: Argument;
  /** Whether it runs what it reads from stdin. */
  readonly isFromInput: boolean;
  readonly doubt: string | null;
}

/** Reads the arguments of a POSIX-like shell. */
export function shellOptions(args: readonly Argument[]): ShellArguments {
  let hasLine = false;
  let isFromInput = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const isOption = typeof word === 'string' && /^[-+]./.test(word) && word !== '--';
    if (typeof word !== 'string')
      return { isFromInput: true, doubt: 'a shell with options that only another shell knows' };
    if (!isOption) return operandsFrom(args, word === '--' || word === '-' ? at + 1 : at, hasLine, isFromInput);
    if (word.startsWith('--') && !PLAIN_LONG.includes(word)) {
      return { isFromInput: false, doubt: `a shell with \`${word}\`` };
    }
    if (!word.startsWith('--')) {
      if (!PLAIN_LETTERS.test(word)) return { isFromInput: false, doubt: `a shell with \`${word}\`` };
      hasLine ||= word.includes('c');
      isFromInput ||= word.includes('s');
    }
    if (/^[-+].*[oO]$/.test(word) && !PLAIN_NAMED.includes(String(args[++at]))) {
      return { isFromInput: false, doubt: `a shell with an option behind \`${word}\` that is not looked into` };
    }
  }
  return operandsFrom(args, args.length, hasLine, isFromInput);
}

function operandsFrom(args: readonly Argument[], at: number, hasLine: boolean, isFromInput: boolean): ShellArguments {
  const operand = args[at];
  if (hasLine && operand !== undefined) return { line: operand, isFromInput: false, doubt: null };
  return { isFromInput: isFromInput || operand === undefined, doubt: null };
}
