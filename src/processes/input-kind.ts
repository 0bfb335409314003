/**
 * What a program that waits wants to be typed, as the modes of its terminal tell: a line, a line that is not shown,
 * single keys. The modes are asked of `stty`, as nothing here can ask the kernel itself. It looks at no process.
 */
import { execFile } from 'node:child_process';
import type { InputWait } from '../contract/command.js';
import type { InputProbe } from './input-probe.js';
import { isSeenFromAfar } from './relays.js';

/** How a terminal treats what is typed. */
export interface TerminalModes {
  /** Whether programs get whole lines, not each key. */
  readonly isByLine: boolean;
  /** Whether the terminal itself shows what is typed. */
  readonly isEchoing: boolean;
}

/** Asking takes some milliseconds, on a busy machine a second; a terminal that hangs up meanwhile may make it hang. */
const MAX_ASKING_MS = 5000;

/** The modes of the terminal at a path; null if they cannot be had. Spawns a process. */
export async function readModes(path: string): Promise<TerminalModes | null> {
  const text = await askStty(path);
  return text === null ? null : parseModes(text);
}

/** All its settings by the names that `stty` has for them, `-` before those that are off; null if they cannot be had. */
export async function readSettings(path: string): Promise<ReadonlySet<string> | null> {
  const text = await askStty(path);
  return text === null ? null : wordsOf(text);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s;]+/));
}

function askStty(path: string): Promise<string | null> {
  const flag = process.platform === 'darwin' ? '-f' : '-F';
  const options = { timeout: MAX_ASKING_MS, env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' } };
  return new Promise((resolve) => {
    execFile('stty', ['-a', flag, path], options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}

/** Reads what `stty -a` prints; null if that is not it. */
export function parseModes(text: string): TerminalModes | null {
  const words = wordsOf(text);
  const isOn = (name: string): boolean | null => (words.has(name) ? true : words.has(`-${name}`) ? false : null);
  const [isByLine, isEchoing] = [isOn('icanon'), isOn('echo')];
  return isByLine === null || isEchoing === null ? null : { isByLine, isEchoing };
}

/**
 * The probe with what is wanted filled in. Where the kernel did not tell who waits, a terminal that takes lines without
 * showing them says that a password is asked for; where it did, a relay to elsewhere that only passes keys on is taken
 * back. Null for `modes`: they cannot be had.
 */
export function withKind(probe: InputProbe, modes: TerminalModes | null): InputProbe {
  const { waiting } = probe;
  if (modes === null) return probe;
  if (waiting === null) return !probe.isKnown && isPassword(modes) ? { ...probe, ...passwordBy(probe) } : probe;
  if (!modes.isByLine && isSeenFromAfar(waiting.by)) return { ...probe, waiting: null, isKnown: false };
  return { ...probe, waiting: { ...waiting, kind: kindOf(modes, waiting) } };
}

/** Asks the terminal, if there is something to ask; see {@link withKind}. Never rejects. */
export async function refine(probe: InputProbe): Promise<InputProbe> {
  if (probe.tty === null || (probe.waiting === null && probe.isKnown)) return probe;
  return withKind(probe, await readModes(probe.tty));
}

function isPassword({ isByLine, isEchoing }: TerminalModes): boolean {
  return isByLine && !isEchoing;
}

/** Whoever has the foreground asks; the last of them, as sudo behind the shell that has started it. */
function passwordBy({ foreground }: InputProbe): Pick<InputProbe, 'waiting' | 'isKnown'> {
  const { pid = null, name = '' } = foreground?.processes.at(-1) ?? {};
  return { waiting: { kind: 'password', by: name, pid, certain: false }, isKnown: true };
}

/** Shells wait for single keys by their own `read -n 1 -s`; at their prompt they are seen to listen, or known to be there. */
const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'ash', 'mksh', 'ksh', 'busybox']);

function kindOf(modes: TerminalModes, { by, certain }: InputWait): InputWait['kind'] {
  if (modes.isByLine) return modes.isEchoing ? 'line' : 'password';
  return modes.isEchoing || (certain && SHELLS.has(by)) ? 'key' : 'program';
}
