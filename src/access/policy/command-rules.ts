/**
 * Matches programs and their arguments against the rules of a policy. If the result depends on arguments that only the
 * shell knows, it is `maybe`.
 */
import { matchesGlob, matchesPath } from './glob.js';
import type { RuleDescription } from './policy-description.js';
import type { KnownProgram } from './programs.js';
import { UNKNOWN_ARGUMENTS, UNKNOWN_ARGUMENT } from '../shell-line/line-analysis.js';
import type { Argument } from '../shell-line/line-analysis.js';

export type RuleMatch = 'yes' | 'maybe' | 'no';

const ANY_NUMBER = '**';

export class CommandRule {
  /** The rule as it was written. */
  readonly text: string;
  readonly because: string | undefined;
  readonly #program: string;
  readonly #args: readonly string[] | undefined;

  constructor(description: RuleDescription) {
    const { program, args, because } = typeof description === 'string' ? wordsOf(description) : description;
    this.#program = program;
    this.#args = args;
    this.because = because;
    this.text = typeof description === 'string' ? description : [program, ...(args ?? [])].join(' ');
  }

  /** Matches any name or path of the program. Use this for rules that forbid. */
  matchesAnyName({ names, paths }: KnownProgram, args: readonly Argument[]): RuleMatch {
    const isMeant = this.#isPath
      ? paths.some((path) => matchesPath(this.#program, path))
      : names.some((name) => matchesGlob(this.#program, name));
    return isMeant ? this.#matchesArgs(args) : 'no';
  }

  /**
   * Matches a name only with the program that PATH resolves it to, not with another program of the same name. Use this
   * for rules that permit.
   */
  matchesTrueName({ word, names, paths, isOnPath }: KnownProgram, args: readonly Argument[]): boolean {
    const isMeant = this.#isPath
      ? paths.some((path) => matchesPath(this.#program, path))
      : isOnPath && matchesGlob(this.#program, word.includes('/') ? (names[0] ?? '') : word);
    return isMeant && this.#matchesArgs(args) === 'yes';
  }

  get #isPath(): boolean {
    return this.#program.startsWith('/');
  }

  #matchesArgs(args: readonly Argument[]): RuleMatch {
    if (this.#args === undefined || fits(this.#args, args, 'surely')) return 'yes';
    return fits(this.#args, args, 'possibly') ? 'maybe' : 'no';
  }
}

function wordsOf(text: string): { program: string; args?: readonly string[]; because?: string } {
  const [program = '', ...args] = text.trim().split(/\s+/);
  return args.length === 0 ? { program } : { program, args };
}

/**
 * Returns whether the arguments match the patterns: for all values of the unknown arguments (`surely`), or for at least
 * some (`possibly`).
 */
function fits(patterns: readonly string[], args: readonly Argument[], how: 'surely' | 'possibly'): boolean {
  let below: boolean[] = [];
  for (let row = patterns.length; row >= 0; row--) {
    const pattern = patterns[row];
    const fit: boolean[] = [];
    for (let at = args.length; at >= 0; at--) {
      const argument = args[at];
      const isNone = pattern === ANY_NUMBER && below[at] === true;
      const isSkipped =
        fit[at + 1] === true && (pattern === ANY_NUMBER || (argument === UNKNOWN_ARGUMENTS && how === 'possibly'));
      const isMore =
        argument === UNKNOWN_ARGUMENTS && how === 'possibly' && pattern !== undefined && below[at] === true;
      const isOne = argument !== undefined && pattern !== undefined && below[at + 1] === true;
      const isEnd = pattern === undefined && argument === undefined;
      fit[at] = isEnd || isNone || isSkipped || isMore || (isOne && fitsOne(pattern, argument, how));
    }
    below = fit;
  }
  return below[0] === true;
}

function fitsOne(pattern: string, argument: Argument, how: 'surely' | 'possibly'): boolean {
  if (argument === UNKNOWN_ARGUMENT) return how === 'possibly' || pattern === '*';
  return argument !== UNKNOWN_ARGUMENTS && matchesGlob(pattern, argument);
}
