/**
 * Describes the shells that can be integrated: how to recognise, start and type to each of them. Pure: starts nothing
 * and writes no files.
 */
import { basename } from 'node:path';
import type { CommandEnd } from './session/effects.js';

export type ShellKind = 'bash' | 'zsh' | 'fish' | 'sh';
/** Programs that are not shells but take commands in their own language. */
export type ReplKind = 'python' | 'node';
/** Everything that can be integrated; a REPL only within a shell. */
export type TrackedKind = ShellKind | ReplKind;

const KINDS: Readonly<Record<string, ShellKind>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  sh: 'sh',
  dash: 'sh',
  ash: 'sh',
  mksh: 'sh',
};

/** Options that only make a shell interactive or a login shell. */
const INTERACTIVE = ['-i', '-l', '--login', '-il', '-li'];

/** A shell that is about to be started. */
export interface ShellStart {
  readonly kind: ShellKind;
  /** Arguments before the requested ones: for busybox, the name of the applet. */
  readonly applet: readonly string[];
  readonly isLogin: boolean;
}

/** Returns which interactive shell this starts; null for anything else. */
export function shellStart(file: string, args: readonly string[]): ShellStart | null {
  const isBox = basename(file) === 'busybox';
  const applet = isBox ? args.slice(0, 1) : [];
  const kind = isBox && applet[0] === undefined ? undefined : shellKind(applet[0] ?? file);
  const rest = args.slice(applet.length);
  if (kind === undefined || !rest.every((argument) => INTERACTIVE.includes(argument))) return null;
  // Which options busybox's other shells accept differs between builds.
  if (isBox && kind !== 'sh') return null;
  return { kind, applet, isLogin: rest.some((argument) => argument !== '-i') };
}

/** Finds the kind by the program's name; undefined if it is not a known shell. */
export function shellKind(file: string): ShellKind | undefined {
  const name = basename(file);
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
}

/** Finds the kind by the name of a program that has a terminal; undefined if it cannot be integrated. */
export function trackedKind(file: string): TrackedKind | undefined {
  const name = basename(file);
  if (/^python(?:\d(?:\.\d+)?)?$/.test(name)) return 'python';
  return name === 'node' ? 'node' : shellKind(name);
}

export function isRepl(kind: TrackedKind): kind is ReplKind {
  return kind === 'python' || kind === 'node';
}

/** The integration files of one terminal, by purpose. */
export interface ScriptPaths {
  readonly directory: string;
  /** The integration itself, for the shell that loads it. */
  readonly script: string;
  /** The file that the shell starts with. */
  readonly start: string;
}

/** What is added when a shell is started. */
export interface Injection {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Makes the shell load the integration after all of the user's own start files. */
export function injection({ kind, applet, isLogin }: ShellStart, args: readonly string[], at: ScriptPaths): Injection {
  const own = args.slice(applet.length);
  if (kind === 'zsh') return { args, env: { ZDOTDIR: at.directory } };
  if (kind === 'fish') return { args: [...own, '-C', `source ${quoted(at.script)}`], env: {} };
  if (kind === 'sh') return { args, env: { ENV: at.start } };
  // A login bash accepts no file as an argument, unless it is in POSIX mode.
  if (isLogin) return { args: ['--posix', ...own], env: { ENV: at.start } };
  return { args: ['--init-file', at.start, ...own], env: {} };
}

/**
 * Returns the line that runs a command, Enter included. No word in it can be replaced by an alias. `__tenacitty_c` puts
 * the text into `__tenacitty_text` and sets a variable with the number of the command. Without that variable, nothing
 * is evaluated: if the first group cannot be redirected, it does not run, and the text is still that of the previous
 * command. The line records the command's status itself, in case none of our functions is left to report it. A trace or
 * a trap shows only the command. No blank follows `$?`: in some configurations of zsh, a blank is a key that expands
 * the word before it.
 */
export function commandLine(kind: TrackedKind, command: number): string {
  if (isRepl(kind)) return `__tenacitty(${command})\r`;
  if (kind === 'fish')
    return (
      ` 'set' -g __tenacitty_text;__tenacitty_c ${command};'eval' $__tenacitty_text;` +
      `'set' -g __tenacitty_end ${command}:$status;__tenacitty_d ${command}\r`
    );
  const unseen = kind === 'sh' ? '2>/dev/null' : '&>/dev/null';
  const begin = `{ __tenacitty_text= __tenacitty_status=$?;__tenacitty_c ${command}&&${YES};} ${unseen}`;
  // In sh, there is no status if the text has not recorded that it was evaluated.
  const status = kind === 'sh' ? `\${__tenacitty_ran_${command}+$?}` : '$?';
  const end = `{ ${INLINE_KEY[kind]}__tenacitty_end=${command}:${status};__tenacitty_d ${command}&&${YES};} ${unseen}`;
  const text = `" \${__tenacitty_is_${command}:+$__tenacitty_text}"`;
  return ` ${begin};${EVALUATE[kind](text)};${end}${enter(kind)}`;
}

/** A command that succeeds regardless of which functions and aliases exist: some users define one named `:` or `[[`. */
const YES = '__tenacitty_yes=';

/** Typed within an assignment, so that it does no harm in a shell that does not know it; see `__tenacitty_inline`. */
const INLINE_KEY: Readonly<Record<'bash' | 'zsh' | 'sh', string>> = {
  bash: '',
  zsh: '__tenacitty_run=\x1b[7721~ ',
  sh: '',
};

/** The blank before the text keeps a text that begins with a dash from being read as an option. */
const EVALUATE: Readonly<Record<'bash' | 'zsh' | 'sh', (text: string) => string>> = {
  // Within a list, bash still applies traps and `set -e` to what `builtin eval` runs, but not a second time to `eval`.
  bash: (text) => `\\builtin eval ${text}&&{ ${YES};} &>/dev/null`,
  // A global alias can replace any unquoted word.
  zsh: (text) => `\\builtin \\eval ${text}`,
  sh: (text) => `\\eval ${text}`,
};

/** Returns the line that loads the integration, Enter included. */
export function loadLine(kind: TrackedKind, script: string): string {
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
  zsh: '\\builtin \\.',
  fish: "'source'",
  sh: '\\.',
};

/** Returns a command in the form that a shell reads from a file. */
export function commandFile(kind: TrackedKind, text: string): string {
  return kind === 'sh' ? `__tenacitty_text=${quoted(text)}\n` : text;
}

/** Returns whether a shell has our keys that park a line and restore it. */
export function hasParkKey(kind: TrackedKind): boolean {
  return kind !== 'sh' && !isRepl(kind);
}

/**
 * Returns the end that can be trusted. An error or a signal can end our line before its last part, and the prompt then
 * reports what ended it, which is never success. If the prompt reports success, how the command ended is unknown.
 */
export function trustedEnd(kind: TrackedKind, end: CommandEnd, isOurs: boolean): CommandEnd {
  const isDropped = isOurs && !isRepl(kind) && end.via === 'prompt' && end.exitCode === 0;
  return isDropped && !end.isNoted ? { ...end, exitCode: null, via: 'kernel' } : end;
}

/**
 * Returns what to run for a command that follows `previous`. With stopped jobs, these shells exit only on two
 * consecutive `exit`s, but our line runs other commands in between, so the `exit` is repeated.
 */
export function runnableText(kind: TrackedKind, text: string, previous: string | null): string {
  const isRepeated = (kind === 'bash' || kind === 'sh') && previous !== null && isExit(previous) && isExit(text);
  return isRepeated ? `${text}\n${text}` : text;
}

function isExit(text: string): boolean {
  return /^\s*(?:exit|logout)(?:\s+\d+)?\s*$/.test(text);
}

/** Returns whether a shell reports when it begins a line that the user typed. */
export function reportsTypedLines(kind: TrackedKind): boolean {
  return kind !== 'sh' && !isRepl(kind);
}

const PARK_KEY = '\x1b[7717~';
export const UNPARK_KEY = '\x1b[7718~';
/** Discards the line; the shell replies as it does to the park key. */
const DROP_KEY = '\x1b[7720~';
/**
 * Makes the shell reply whenever its line editor is reading, and does nothing else. Shells that have the park keys
 * support it.
 */
export const ANSWER_KEY = '\x1b[7719~';
/** For shells without these keys: kills the line from the cursor to both ends. */
export const KILL_LINE = '\x0b\x15';

/** Returns the key that clears the line for an injected one. */
export function clearLineKey(kind: TrackedKind, isLitter: boolean): string {
  if (!hasParkKey(kind)) return KILL_LINE;
  return isLitter ? DROP_KEY : PARK_KEY;
}

/** Shells without their own line editor accept a line feed even if the terminal does not translate Enter. */
function enter(kind: ShellKind): string {
  return kind === 'sh' ? '\n' : '\r';
}

/** Quotes a string as a single word for all these shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
