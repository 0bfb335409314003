/**
 * The shells that can be integrated: how each is known, started, and typed to. Pure; it starts nothing and writes no
 * file.
 */
import { basename } from 'node:path';
import type { CommandEnd } from './session/effects.js';

export type ShellKind = 'bash' | 'zsh' | 'fish' | 'sh';
/** Not shells, but they take commands of their own kind. */
export type ReplKind = 'python' | 'node';
/** All that can be followed; a REPL only within a shell. */
export type FollowedKind = ShellKind | ReplKind;

const KINDS: Readonly<Record<string, ShellKind>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  sh: 'sh',
  dash: 'sh',
  ash: 'sh',
  mksh: 'sh',
};

/** What makes a shell read a terminal, and nothing else. */
const INTERACTIVE = ['-i', '-l', '--login', '-il', '-li'];

/** A shell that is about to be started. */
export interface ShellStart {
  readonly kind: ShellKind;
  /** Arguments before those that were asked for: the name of a program within busybox. */
  readonly applet: readonly string[];
  readonly isLogin: boolean;
}

/** Which shell this starts, to be worked with by hand; null for all else. */
export function shellStart(file: string, args: readonly string[]): ShellStart | null {
  const isBox = basename(file) === 'busybox';
  const applet = isBox ? args.slice(0, 1) : [];
  const kind = isBox && applet[0] === undefined ? undefined : shellKind(applet[0] ?? file);
  const rest = args.slice(applet.length);
  if (kind === undefined || !rest.every((argument) => INTERACTIVE.includes(argument))) return null;
  // What these two accept on their command line differs from box to box.
  if (isBox && kind !== 'sh') return null;
  return { kind, applet, isLogin: rest.some((argument) => argument !== '-i') };
}

/** By the name of the program; undefined for what is no shell that is known here. */
export function shellKind(file: string): ShellKind | undefined {
  const name = basename(file);
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
}

/** By the name of a program that has a terminal; undefined for what cannot be followed. */
export function followedKind(file: string): FollowedKind | undefined {
  const name = basename(file);
  if (/^python(?:\d(?:\.\d+)?)?$/.test(name)) return 'python';
  return name === 'node' ? 'node' : shellKind(name);
}

export function isRepl(kind: FollowedKind): kind is ReplKind {
  return kind === 'python' || kind === 'node';
}

/** Files that the integration of one terminal consists of, by what they are for. */
export interface ScriptPlaces {
  readonly directory: string;
  /** The integration itself, for the shell it is in. */
  readonly script: string;
  /** What the shell starts with. */
  readonly start: string;
}

/** What is added to the start of a shell. */
export interface Injection {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How the shell is made to load the integration after everything of its user's. */
export function injection({ kind, applet, isLogin }: ShellStart, args: readonly string[], at: ScriptPlaces): Injection {
  const own = args.slice(applet.length);
  if (kind === 'zsh') return { args, env: { ZDOTDIR: at.directory } };
  if (kind === 'fish') return { args: [...own, '-C', `source ${quoted(at.script)}`], env: {} };
  if (kind === 'sh') return { args, env: { ENV: at.start } };
  // A login bash reads no file that is named to it, unless it is in POSIX mode.
  if (isLogin) return { args: ['--posix', ...own], env: { ENV: at.start } };
  return { args: ['--init-file', at.start, ...own], env: {} };
}

/**
 * The line that runs a command, Enter included. Nothing in it can be an alias, and `__tenacitty_text` holds what
 * `__tenacitty_c` has put there, or nothing. It notes how that went by itself, should nothing of ours be left to tell. Neither a trace nor a trap has anything to say of what is not the command.
 */
export function commandLine(kind: FollowedKind, command: number): string {
  if (isRepl(kind)) return `__tenacitty(${command})\r`;
  if (kind === 'fish')
    return (
      ` 'set' -g __tenacitty_text;__tenacitty_c ${command};'eval' $__tenacitty_text;` +
      `'set' -g __tenacitty_end ${command}:$status;__tenacitty_d ${command}\r`
    );
  const unseen = kind === 'sh' ? '2>/dev/null' : '&>/dev/null';
  const yes = YES[kind];
  const begin = `{ __tenacitty_status=$? __tenacitty_text=;__tenacitty_c ${command}&&${yes};} ${unseen}`;
  const end = `{ __tenacitty_end=${command}:$?;__tenacitty_d ${command}&&${yes};} ${unseen}`;
  return ` ${begin};${EVALUATE[kind]};${end}${enter(kind)}`;
}

/** What succeeds, whatever functions there are: some take one named `:`. */
const YES: Readonly<Record<'bash' | 'zsh' | 'sh', string>> = { bash: '[[ 1 ]]', zsh: '[[ 1 ]]', sh: ':' };

/** The blank before a text keeps a dash at its start from being an option's. */
const EVALUATE: Readonly<Record<'bash' | 'zsh' | 'sh', string>> = {
  // In a list, bash takes neither trap nor `set -e` from what `builtin eval` runs, and does not apply them twice.
  bash: '\\builtin eval " $__tenacitty_text"&&{ [[ 1 ]];} &>/dev/null',
  zsh: '\\builtin eval " $__tenacitty_text"',
  sh: '\\eval " $__tenacitty_text"',
};

/** The line that loads the integration, Enter included. */
export function loadLine(kind: FollowedKind, script: string): string {
  if (kind === 'python') {
    const b = "__import__('builtins')";
    const text = `${b}.open(${JSON.stringify(script)}, encoding='utf-8').read()`;
    return `${b}.exec(${text}, {'scope': ${b}.globals()})\r`;
  }
  if (kind === 'node') return `eval(require('fs').readFileSync(${JSON.stringify(script)}, 'utf8'))\r`;
  return ` ${LOAD[kind]} ${quoted(script)}${enter(kind)}`;
}

const LOAD: Readonly<Record<ShellKind, string>> = {
  bash: '\\builtin .',
  zsh: '\\builtin .',
  fish: "'source'",
  sh: '\\.',
};

/** A command as a shell reads it from its file. */
export function commandFile(kind: FollowedKind, text: string): string {
  return kind === 'sh' ? `__tenacitty_text=${quoted(text)}\n` : text;
}

/** Whether a shell has keys of ours that put a line by and bring it back. */
export function hasParkKey(kind: FollowedKind): boolean {
  return kind !== 'sh' && !isRepl(kind);
}

/** What ends our line in bash before its end is an error or a signal: of one that came to no end all is not known. */
export function believedEnd(kind: FollowedKind, end: CommandEnd, isOurs: boolean): CommandEnd {
  const isDropped = isOurs && kind === 'bash' && end.via === 'prompt' && end.exitCode === 0;
  return isDropped && !end.isNoted ? { ...end, exitCode: null, via: 'kernel' } : end;
}

/** Whether a shell says when it begins what somebody has typed. */
export function saysTyped(kind: FollowedKind): boolean {
  return kind !== 'sh' && !isRepl(kind);
}

const PARK_KEY = '\x1b[7717~';
export const UNPARK_KEY = '\x1b[7718~';
/** Throws away what stands there, and is answered as the first. */
const DROP_KEY = '\x1b[7720~';
/** Answered wherever the line editor reads, and nothing else; by those that have the keys above. */
export const ANSWER_KEY = '\x1b[7719~';
/** Where there is no such key: kills the line from where it is, to both sides. */
export const KILL_LINE = '\x0b\x15';

/** What makes room for a line of ours. */
export function roomKey(kind: FollowedKind, isLitter: boolean): string {
  if (!hasParkKey(kind)) return KILL_LINE;
  return isLitter ? DROP_KEY : PARK_KEY;
}

/** Those without an editor of their own take a line feed even where the terminal does not make one of Enter. */
function enter(kind: ShellKind): string {
  return kind === 'sh' ? '\n' : '\r';
}

/** As all these shells read it: one word, whatever it says. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
