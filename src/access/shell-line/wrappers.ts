/**
 * Programs that start a program given as an argument, and how to find it among their arguments. An unknown option is a
 * doubt, never skipped. Pure.
 */
import { MANY, ONE } from './found.js';
import type { Argument, Assigned, CommandWords } from './found.js';

interface Wrapper {
  /** Letters of options without a value, and with one. */
  readonly flags: string;
  readonly valued: string;
  /** Names of long options without a value, and with one. */
  readonly long?: readonly string[];
  readonly longValued?: readonly string[];
  /** Number of arguments between the options and the program. */
  readonly operands?: number;
  /** Whether `NAME=VALUE` may precede the program. */
  readonly assigns?: boolean;
  /** Whether it adds arguments, or substitutes them for the word given by `-I`. */
  readonly adds?: boolean;
  /** The option that sets the program's directory: a letter and a long name. */
  readonly directory?: readonly [string, string];
  /** Whether it starts the program with another root directory. */
  readonly isElsewhere?: boolean;
  /** Letters of options with which it starts nothing. */
  readonly asks?: string;
  /** Whether it is a shell builtin. */
  readonly isOfShell?: boolean;
  /**
   * Whether it gives the program no additional rights and no different input: permission to run the program then
   * includes running it through the wrapper.
   */
  readonly isPlain: boolean;
}

export const WRAPPERS: Readonly<Record<string, Wrapper | undefined>> = Object.assign(Object.create(null), {
  env: {
    ...{ flags: 'i0v', valued: 'uC', assigns: true, isPlain: true },
    long: ['ignore-environment', 'null', 'debug'],
    longValued: ['unset', 'chdir'],
    directory: ['C', 'chdir'],
  },
  nohup: { flags: '', valued: '', isPlain: true },
  nice: { flags: '', valued: 'n', longValued: ['adjustment'], isPlain: true },
  ionice: { flags: 't', valued: 'cn', isPlain: true },
  timeout: {
    ...{ flags: 'vfp', valued: 'ks', operands: 1, isPlain: true },
    long: ['foreground', 'preserve-status', 'verbose'],
    longValued: ['kill-after', 'signal'],
  },
  stdbuf: { flags: '', valued: 'ioe', longValued: ['input', 'output', 'error'], isPlain: true },
  setsid: { flags: 'cfw', valued: '', long: ['ctty', 'fork', 'wait'], isPlain: true },
  time: { flags: 'pvq', valued: '', isPlain: true },
  xargs: {
    ...{ flags: '0rtpxo', valued: 'nPLdsEaI', adds: true, isPlain: true },
    long: ['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit'],
    longValued: ['max-args', 'max-procs', 'delimiter', 'max-chars', 'arg-file', 'max-lines'],
  },
  sudo: {
    ...{ flags: 'AbEHnPkSB', valued: 'CDgpRrtTUu', assigns: true, isPlain: false },
    long: ['preserve-env', 'non-interactive', 'stdin', 'background', 'set-home'],
    longValued: ['user', 'group', 'chdir', 'prompt', 'host'],
    directory: ['D', 'chdir'],
  },
  doas: { flags: 'nL', valued: 'uC', isPlain: false },
  chroot: { flags: '', valued: '', operands: 1, isElsewhere: true, isPlain: false },
  busybox: { flags: '', valued: '', isPlain: true },
  toybox: { flags: '', valued: '', isPlain: true },
  exec: { flags: 'cl', valued: 'a', isOfShell: true, isPlain: true },
  command: { flags: 'pvV', valued: '', asks: 'vV', isOfShell: true, isPlain: true },
  builtin: { flags: '', valued: '', isOfShell: true, isPlain: true },
} satisfies Record<string, Wrapper>) as Record<string, Wrapper>;

const ASSIGNMENT = /^([^=]+)=/;

export interface Inner {
  /** The program and its arguments; empty if there is none. */
  readonly words: CommandWords;
  readonly assigned: readonly Assigned[];
  readonly doubt: string | null;
  /** The directory in which it starts, if different from the wrapper's. */
  readonly directory?: Argument;
}

/** Returns what a wrapper starts with these arguments. */
export function innerCommand(wrapper: Wrapper, args: readonly Argument[]): Inner {
  const options = skipOptions(wrapper, args);
  if (typeof options === 'string') return { words: [], assigned: [], doubt: options };
  let rest = args.slice(options.end);
  const operands = rest.slice(0, wrapper.operands ?? 0);
  if (operands.some((word) => typeof word !== 'string' && word !== ONE))
    return { words: [], assigned: [], doubt: 'arguments that only the shell knows' };
  rest = rest.slice(operands.length);
  const assigned: Assigned[] = [];
  for (; wrapper.assigns === true && typeof rest[0] === 'string' && ASSIGNMENT.test(rest[0]); rest = rest.slice(1)) {
    const [whole, name] = ASSIGNMENT.exec(rest[0])!;
    assigned.push({ name: name!, value: rest[0].slice(whole.length), isPassedOn: true });
  }
  const given = args.slice(0, options.end);
  if (given.some((word) => isAsking(wrapper, word))) return { words: [], assigned, doubt: null };
  const directory = directoryOf(wrapper, given);
  const doubt = wrapper.adds === true && hasContradiction(given) ? 'options that exclude one another' : null;
  const words = wrapper.adds === true ? withAdded(rest, given) : rest;
  return { words, assigned, doubt, ...(directory !== undefined && { directory }) };
}

/** If the option occurs several times, the last one counts; which one that is, is not determined here. */
function directoryOf({ directory, isElsewhere = false }: Wrapper, options: readonly Argument[]): Argument | undefined {
  if (isElsewhere) return ONE;
  if (directory === undefined) return undefined;
  const [letter, long] = directory;
  const given = options.filter(
    (word) => typeof word === 'string' && new RegExp(`^-[^-]*${letter}|^--${long}`).test(word),
  );
  if (given.length !== 1) return given.length === 0 ? undefined : ONE;
  const text = String(given[0]);
  if (text.startsWith(`--${long}=`)) return text.slice(long.length + 3);
  const isSeparate = text === `-${letter}` || text === `--${long}`;
  return isSeparate ? options[options.indexOf(text) + 1] : ONE;
}

/** A later option that counts words or lines overrides `-I`. */
function hasContradiction(options: readonly Argument[]): boolean {
  const replacing = options.filter((word) => /^-[0rtpxo]*I/.test(String(word))).length;
  return replacing > 1 || (replacing === 1 && options.some((word) => /^-[0rtpxo]*[nL]|^--max/.test(String(word))));
}

function isAsking({ asks = '' }: Wrapper, option: Argument): boolean {
  return typeof option === 'string' && [...asks].some((letter) => option.includes(letter));
}

/** Adds the arguments that `xargs` appends, or substitutes them for the word given by `-I`. */
function withAdded(words: CommandWords, options: readonly Argument[]): CommandWords {
  const at = options.findIndex((option) => typeof option === 'string' && /^-[0rtpxo]*I/.test(option));
  if (words.length === 0) return words;
  if (at < 0) return [...words, MANY];
  const own = String(options[at]).replace(/^-[0rtpxo]*I/, '');
  const place = own === '' ? options[at + 1] : own;
  return words.map((word) =>
    typeof place === 'string' && typeof word === 'string' && word.includes(place) ? ONE : word,
  );
}

/** Returns where the options end, or a description of what is unknown about them. */
function skipOptions(wrapper: Wrapper, args: readonly Argument[]): { end: number } | string {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (typeof word !== 'string') return 'arguments that only the shell knows';
    if (word === '--') return { end: at + 1 };
    if (!word.startsWith('-')) return { end: at };
    const values = word.startsWith('--') ? longOption(wrapper, word.slice(2)) : shortOptions(wrapper, word.slice(1));
    if (values === null) return `the option \`${word}\``;
    at += values;
  }
  return { end: args.length };
}

/** Returns how many of the following arguments belong to the option; null if it is unknown. */
function longOption({ long = [], longValued = [] }: Wrapper, option: string): number | null {
  const [name = '', value] = option.split('=', 2);
  if (longValued.includes(name)) return value === undefined ? 1 : 0;
  return long.includes(name) && value === undefined ? 0 : null;
}

function shortOptions({ flags, valued }: Wrapper, letters: string): number | null {
  for (const [at, letter] of [...letters].entries()) {
    if (valued.includes(letter)) return at === letters.length - 1 ? 1 : 0;
    if (!flags.includes(letter)) return null;
  }
  return 0;
}
