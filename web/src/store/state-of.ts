/** Describes the state of a terminal or command by a glyph and words, never by colour alone. Pure. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { clock, duration } from '../ui/durations.js';

export type Glyph = 'run' | 'ok' | 'bad' | 'wait' | 'lock' | 'end' | 'idle' | 'lost';
export type Kind = 'waiting' | 'running' | 'prompt' | 'ended' | 'lost';

export interface Shown {
  readonly kind: Kind;
  readonly glyph: Glyph;
  readonly words: string;
  readonly isBad: boolean;
}

/** The fields of a command that determine the state shown. */
export interface ShownCommand {
  readonly state: 'running' | 'waiting' | 'nested' | 'completed' | 'lost';
  readonly exitCode: number | null;
  readonly started: string;
  readonly ended: string | null;
}

type Terminal = Pick<
  OverviewTerminal,
  'status' | 'exitCode' | 'signal' | 'endedBy' | 'lastCommand' | 'waiting' | 'foreground'
>;
type Question = NonNullable<OverviewTerminal['waiting']>;

const LIMITS = ['time_limit', 'running_timeout', 'session_timeout'];
const since = (iso: string, now: number): number => now - Date.parse(iso);

/**
 * Returns whether the program is asking the user for input. A program that only listens for keys, or may be busy with
 * other work, is not.
 */
export function asks(waiting: OverviewTerminal['waiting']): waiting is Question {
  return waiting !== null && waiting.kind !== 'program' && waiting.certain;
}

/** Describes what the program is waiting for, such as `a password`. */
export function wanted({ kind }: Pick<Question, 'kind'>): string {
  if (kind === 'line' || kind === 'key' || kind === 'password') return `a ${kind}`;
  return 'input';
}

export function stateOf(terminal: Terminal, now: number): Shown {
  const { status, waiting, lastCommand, foreground } = terminal;
  if (status === 'lost') return { kind: 'lost', glyph: 'lost', words: 'lost: exit status unknown', isBad: false };
  if (status === 'exited') return endOf(terminal);
  if (asks(waiting)) return questionOf(waiting);
  if (lastCommand === null)
    return { kind: 'prompt', glyph: 'idle', words: foreground === null ? 'running' : 'at prompt', isBad: false };
  return stateOfCommand(lastCommand, now);
}

function questionOf(waiting: Question): Shown {
  const glyph = waiting.kind === 'password' ? 'lock' : 'wait';
  return { kind: 'waiting', glyph, words: `waiting for ${wanted(waiting)}`, isBad: false };
}

function endOf({ exitCode, signal, endedBy }: Terminal): Shown {
  const isBad = signal !== null || (exitCode !== null && exitCode !== 0);
  const words = endWords(exitCode, signal, endedBy?.reason);
  return { kind: 'ended', glyph: 'end', words, isBad };
}

function endWords(exitCode: number | null, signal: string | null, reason: string | undefined): string {
  if (reason !== undefined && LIMITS.includes(reason)) return 'ended: time limit';
  if (signal !== null) return `ended by ${signal}`;
  return exitCode === null ? 'ended, exit code unknown' : `ended, exit ${exitCode}`;
}

export function stateOfCommand(command: ShownCommand, now: number): Shown {
  const { state, exitCode, started, ended } = command;
  if (state === 'lost') return { kind: 'lost', glyph: 'lost', words: 'lost', isBad: false };
  if (state !== 'completed')
    return { kind: 'running', glyph: 'run', words: `running ${clock(since(started, now))}`, isBad: false };
  const took = ended === null ? '' : ` · ${duration(Date.parse(ended) - Date.parse(started))}`;
  if (exitCode === null) return { kind: 'prompt', glyph: 'idle', words: 'ended, exit code unknown', isBad: false };
  const isBad = exitCode !== 0;
  return { kind: 'prompt', glyph: isBad ? 'bad' : 'ok', words: `exit ${exitCode}${took}`, isBad };
}
