/**
 * Finds the program that wrappers, such as `sudo` and `env`, start from their arguments. An option that is not listed
 * here counts as not understood and is never skipped. Pure.
 */
import { UNKNOWN_ARGUMENTS, UNKNOWN_ARGUMENT } from './line-analysis.js';
import type { Argument, Assignment, CommandWords } from './line-analysis.js';

/** The programs that a wrapper starts. */
export interface StartedPrograms {
  /** The commands that it starts, each a program with its arguments. */
  readonly commands: readonly CommandWords[];
  readonly assigned: readonly Assignment[];
  /**
   * Whether it gives them no additional permissions. If so, a caller that is allowed to run a program is also allowed
   * to run it through the wrapper.
   */
  readonly isPlain: boolean;
  /**
   * Human-readable reason why it could start something else; null if it cannot. If there is a reason, the commands are
   * guesses.
   */
  readonly doubt: string | null;
}

interface Wrapper {
  /** Match the options that are one word, and those whose value is the next word. */
  readonly options?: RegExp;
  readonly valued?: RegExp;
  /** Number of arguments between the options and the program. */
  readonly operands?: number;
  /** Whether `NAME=VALUE` may precede the program. */
  readonly isAssigning?: boolean;
  /** Whether it appends arguments. */
  readonly isAdding?: boolean;
  /** Whether it gives the program additional permissions. */
  readonly isRaising?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { options: /^-i$/, valued: /^-u$/, isAssigning: true },
  nohup: {},
  nice: { options: /^-n?[0-9]+$/, valued: /^-n$/ },
  ionice: { options: /^-[cn][0-9]$/, valued: /^-[cn]$/ },
  timeout: { options: /^-(?:[ks].+|v|-foreground|-preserve-status|-verbose)$/, valued: /^-[ks]$/, operands: 1 },
  stdbuf: { options: /^-[ioe].+$/, valued: /^-[ioe]$/ },
  setsid: { options: /^-[cfw]+$/ },
  time: { options: /^-p$/ },
  xargs: { options: /^-(?:[0rt]+|[nPL][0-9]+|d.+|-null|-no-run-if-empty)$/, valued: /^-[nPLd]$/, isAdding: true },
  sudo: { options: /^-[nEHSk]+$/, valued: /^-[ug]$/, isAssigning: true, isRaising: true },
};
/** Programs that start a program from their arguments in a way that is not analysed. */
const NOT_ANALYZED = ['doas', 'chroot', 'busybox', 'toybox'];
const ASSIGNMENT = /^([^=]+)=(.*)$/s;
const BY_FIND = /^-(?:exec|ok)(?:dir)?$/;
const UNKNOWN = 'arguments that only the shell knows, or in a directory that only it knows';

/** Returns the programs that a program starts from its arguments; null if it is not known to start others. */
export function programsStartedBy(name: string, args: readonly Argument[]): StartedPrograms | null {
  if (name === 'find') return startedByFind(args);
  if (NOT_ANALYZED.includes(name)) return notAnalyzed(args, 'what it starts', name.endsWith('box'));
  return Object.hasOwn(WRAPPERS, name) ? startedByWrapper(WRAPPERS[name]!, args) : null;
}

/** Returns the part of some arguments that looks like a command, if the arguments cannot be analysed. */
export function guessCommands(args: readonly Argument[]): CommandWords[] {
  const at = args.findIndex((word) => typeof word === 'string' && !word.startsWith('-'));
  return at < 0 ? [] : [args.slice(at)];
}

function notAnalyzed(args: readonly Argument[], doubt: string, isPlain: boolean): StartedPrograms {
  return { commands: guessCommands(args), assigned: [], isPlain, doubt };
}

function startedByWrapper(wrapper: Wrapper, args: readonly Argument[]): StartedPrograms {
  const { options, valued, operands = 0, isAssigning = false, isAdding = false, isRaising = false } = wrapper;
  let at = 0;
  for (let word = args[0]; typeof word === 'string' && word.startsWith('-'); word = args[++at]) {
    if (valued?.test(word) === true) at++;
    else if (options?.test(word) !== true) return notAnalyzed(args, `the option \`${word}\``, !isRaising);
  }
  at += operands;
  const assigned: Assignment[] = [];
  for (; isAssigning && ASSIGNMENT.test(String(args[at])); at++) {
    const [, name, value] = ASSIGNMENT.exec(String(args[at]))!;
    assigned.push({ name: name!, value: value!, isPassedOn: true });
  }
  if (args.slice(0, at).some((word) => typeof word !== 'string')) return notAnalyzed(args, UNKNOWN, !isRaising);
  const words = args.slice(at);
  const commands: CommandWords[] = words.length === 0 ? [] : [isAdding ? [...words, UNKNOWN_ARGUMENTS] : words];
  return { commands, assigned, isPlain: !isRaising, doubt: null };
}

/**
 * Returns the programs that `find` starts. `{}` stands for arguments that only `find` knows. `+` ends a command only
 * after `{}`; elsewhere it is an ordinary argument.
 */
function startedByFind(args: readonly Argument[]): StartedPrograms {
  const commands = args.flatMap((word, from): CommandWords[] => {
    if (!BY_FIND.test(String(word))) return [];
    const rest = args.slice(from + 1);
    const end = rest.findIndex((one, at) => one === ';' || (one === '+' && rest[at - 1] === '{}'));
    const words = rest.slice(0, end < 0 ? undefined : end);
    return [words.map((one): Argument => (typeof one === 'string' && one.includes('{}') ? UNKNOWN_ARGUMENT : one))];
  });
  const isKnown = args.every((word) => typeof word === 'string' && !/^-(?:exec|ok)dir$/.test(word));
  return { commands, assigned: [], isPlain: false, doubt: isKnown ? null : UNKNOWN };
}
