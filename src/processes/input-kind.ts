/**
 * Determines what kind of input a waiting program expects from the modes of its terminal: a line, a line without echo,
 * or single keys. Reads the modes with `stty`, because Node cannot query the kernel directly. Does not examine
 * processes.
 */
import { execFile } from 'node:child_process';
import type { InputWait } from '../contract/command.js';
import type { InputProbe } from './input-probe.js';
import { isRemoteRelay } from './relays.js';

/** How a terminal handles input. */
export interface TerminalModes {
  /** Whether programs receive whole lines instead of single keys. */
  readonly isByLine: boolean;
  /** Whether the terminal itself echoes input. */
  readonly isEchoing: boolean;
}

/**
 * Time limit for `stty`, which takes a few milliseconds, or a second on a busy machine. It can hang if the terminal
 * hangs up.
 */
const MAX_STTY_MS = 5000;

/** Resolves to the modes of the terminal at a path; null if they cannot be read. Spawns a process. */
export async function readModes(path: string): Promise<TerminalModes | null> {
  const text = await runStty(path);
  return text === null ? null : parseModes(text);
}

/**
 * Resolves to the settings of a terminal as `stty` names them, with a leading `-` if they are off; null if they cannot
 * be read.
 */
export async function readSettings(path: string): Promise<ReadonlySet<string> | null> {
  const text = await runStty(path);
  return text === null ? null : wordsOf(text);
}

/**
 * Resolves to the key that interrupts the programs of a terminal; null if there is none. Resolves to Ctrl-C if the
 * terminal does not handle such keys itself or cannot be queried.
 */
export async function readInterruptKey(path: string): Promise<string | null> {
  const text = await runStty(path);
  return text === null || wordsOf(text).has('-isig') ? CTRL_C : parseInterruptKey(text);
}

const CTRL_C = '\x03';
/** The bit that differs between a letter and its control character, and between `?` and DEL. */
const CONTROL_BIT = 0x40;

/** Parses the interrupt key in the output of `stty -a`, written as `^G`, `x` or `<undef>`. */
export function parseInterruptKey(text: string): string | null {
  const name = /\bintr = ([^\s;]+|;)/.exec(text)?.[1] ?? '';
  if (/^<?undef>?$/.test(name)) return null;
  if (name.length === 1) return name;
  return /^\^.$/.test(name) ? String.fromCharCode(name.charCodeAt(1) ^ CONTROL_BIT) : CTRL_C;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s;]+/));
}

function runStty(path: string): Promise<string | null> {
  const flag = process.platform === 'darwin' ? '-f' : '-F';
  const options = { timeout: MAX_STTY_MS, env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' } };
  return new Promise((resolve) => {
    execFile('stty', ['-a', flag, path], options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}

/** Parses the modes in the output of `stty -a`; returns null if they are missing. */
export function parseModes(text: string): TerminalModes | null {
  const words = wordsOf(text);
  const isOn = (name: string): boolean | null => (words.has(name) ? true : words.has(`-${name}`) ? false : null);
  const [isByLine, isEchoing] = [isOn('icanon'), isOn('echo')];
  return isByLine === null || isEchoing === null ? null : { isByLine, isEchoing };
}

/**
 * Returns the probe with the kind of input filled in. If the probe could not determine whether a process is waiting, a
 * terminal in line mode without echo indicates a password prompt. If the probe found a waiting process that merely
 * relays keys to another place, discards that result. `modes` is null if the modes cannot be read.
 */
export function withKind(probe: InputProbe, modes: TerminalModes | null): InputProbe {
  const { waiting } = probe;
  if (modes === null) return probe;
  if (waiting === null) return !probe.isKnown && isPassword(modes) ? { ...probe, ...passwordBy(probe) } : probe;
  if (!modes.isByLine && isRemoteRelay(waiting.by)) return { ...probe, waiting: null, isKnown: false };
  return { ...probe, waiting: { ...waiting, kind: kindOf(modes, waiting) } };
}

/** Queries the terminal if necessary, and fills in the kind of input; see {@link withKind}. Never rejects. */
export async function withQueriedKind(probe: InputProbe): Promise<InputProbe> {
  if (probe.tty === null || (probe.waiting === null && probe.isKnown)) return probe;
  return withKind(probe, await readModes(probe.tty));
}

function isPassword({ isByLine, isEchoing }: TerminalModes): boolean {
  return isByLine && !isEchoing;
}

/** Attributes a password prompt to the last process of the foreground group, such as sudo after its shell. */
function passwordBy({ foreground }: InputProbe): Pick<InputProbe, 'waiting' | 'isKnown'> {
  const { pid = null, name = '' } = foreground?.processes.at(-1) ?? {};
  return { waiting: { kind: 'password', by: name, pid, certain: false }, isKnown: true };
}

/**
 * Shells that, if they are blocked reading a key, are executing their own `read -n 1 -s`. At their prompt, the probe
 * sees them listening, or shell integration reports it.
 */
const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'ash', 'mksh', 'ksh', 'busybox']);

function kindOf(modes: TerminalModes, { by, certain }: InputWait): InputWait['kind'] {
  if (modes.isByLine) return modes.isEchoing ? 'line' : 'password';
  return modes.isEchoing || (certain && SHELLS.has(by)) ? 'key' : 'program';
}
