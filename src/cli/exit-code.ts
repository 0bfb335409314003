/** Defines the exit codes and what each means. docs/cli.md and the help are generated from the table. */
import { constants } from 'node:os';
import type { EndedBy, EndReason } from '../contract/ending.js';
import { TerminalError } from '../errors.js';

export const OK = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const NO_SUCH_TERMINAL = 3;
/** Exit code for a command that is waiting for input. No convention exists; this is next to those for other states. */
export const COMMAND_WAITING = 123;
/** Exit code after a timeout, as in timeout(1). */
export const TIMED_OUT = 124;
/** Exit code for a command that tenacitty itself could not start, as in docker and env(1). */
export const NOT_STARTED = 125;
/** Exit codes for a program that cannot be run, as in shells, docker and env(1). */
export const NOT_EXECUTABLE = 126;
export const NO_SUCH_PROGRAM = 127;
const SIGNAL_BASE = 128;
const STDOUT_CLOSED = SIGNAL_BASE + constants.signals.SIGPIPE;

/** The codes and their human-readable meanings. */
export const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  [String(OK), 'Success. For `attach`: you detached, or the program ended, with any exit code.'],
  [
    String(FAILED),
    'Failure; stderr says why. This includes: for `ls`, `stats`, `kill` and `rm`, a host that did not respond ' +
      '(terminals of other hosts are still listed or ended); for `logs -f`, a lost terminal; for `search`, no match.',
  ],
  [String(WRONG_USAGE), 'Usage error: an invalid command, flag, setting or value.'],
  [String(NO_SUCH_TERMINAL), 'No such terminal, or several terminals match where exactly one is required.'],
  ['10', '`acp run`: the agent refused to continue.'],
  ['11', '`acp run`: the agent reached its token limit for the turn.'],
  ['12', '`acp run`: the agent reached its limit of model requests for the turn.'],
  ['13', '`acp run`: the agent requires you to sign in; stderr says how.'],
  ['14', '`acp run`: the agent ended, or does not speak the protocol.'],
  [
    String(COMMAND_WAITING),
    '`exec`: the command is waiting for input, and continues when it receives input; stderr says how.',
  ],
  [
    String(TIMED_OUT),
    '`--timeout` expired. `wait`: before the condition was met; the program is still running. `exec`: the command ' +
      'keeps running, and stderr says how to get its output and wait for its end; if the shell was still starting, ' +
      'the command never runs. `acp run`: the turn was cancelled.',
  ],
  [
    String(NOT_STARTED),
    '`exec`: the command was not started, because the terminal is busy; stderr says why. `acp run`: a permission ' +
      'that the agent asked for could not be granted (see --yes).',
  ],
  [String(NOT_EXECUTABLE), '`run`: the program exists, but cannot be executed.'],
  [String(NO_SUCH_PROGRAM), '`run`: the program does not exist. `acp run`: the agent could not be started.'],
  [
    `${SIGNAL_BASE} + n`,
    'The program (`run`, `exec`, `wait`), or tenacitty itself, was ended by signal n. `acp run`: 130 for a ' +
      'cancelled turn.',
  ],
  [String(STDOUT_CLOSED), 'The program that reads stdout has closed it (128 + SIGPIPE), as `head` does.'],
  ['any other', '`run`, `exec`, `wait`: the exit code of the program or command.'],
];

/** Thrown if the reader of stdout has closed it. The command then ends without a message. */
export class StdoutClosed extends Error {
  override readonly name = 'StdoutClosed';
}

/** How a program ended. Both fields are null if that is unknown. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * Returns the exit code that passes on how a program ended, as shells do: the program's own, or 128 + n for signal n.
 * Returns FAILED if it is unknown how the program ended.
 */
export function exitCodeOfProgram({ exitCode, signal }: ProgramEnd): number {
  return exitCode ?? exitCodeOfSignal(signal);
}

export function exitCodeOfSignal(signal: string | null): number {
  const number = signal === null ? undefined : (constants.signals as Record<string, number>)[signal];
  return number === undefined ? FAILED : SIGNAL_BASE + number;
}

/** Returns whether it is unknown how the program ended, because no host saw it end. */
export function isUnknownEnd({ exitCode, signal }: ProgramEnd): boolean {
  return exitCode === null && signal === null;
}

/** Describes how a program ended, as in `exit code 3` or `SIGKILL`. */
export function describeEnd({ exitCode, signal }: ProgramEnd): string {
  if (signal !== null) return signal;
  return exitCode === null ? 'an unknown exit code' : `exit code ${exitCode}`;
}

const REASONS: Readonly<Partial<Record<EndReason, string>>> = {
  deleted: 'it was ended on request',
  session_timeout: 'its shell was idle for too long',
  running_timeout: 'it printed nothing for too long',
  time_limit: 'it reached its time limit',
  shutdown: 'its host was stopped',
  connection_closed: 'its connection was closed',
};

/**
 * Returns the reason for an end, such as ` (it reached its time limit: timeLimitMs)`; empty if the program ended by
 * itself or the reason is unknown.
 */
export function describeEndReason({ reason, setting }: Pick<EndedBy, 'reason' | 'setting'>): string {
  const words = REASONS[reason];
  return words === undefined ? '' : ` (${words}${setting === undefined ? '' : `: ${setting}`})`;
}

/** Returns the exit code for an error. An error that the operating system caused is never a usage error. */
export function exitCodeOfError(error: unknown): number {
  if (error instanceof StdoutClosed) return STDOUT_CLOSED;
  if (!(error instanceof TerminalError)) return FAILED;
  if (error.code === 'TERMINAL_NOT_FOUND') return NO_SUCH_TERMINAL;
  if (error.code === 'TERMINAL_BUSY') return NOT_STARTED;
  return error.code === 'INVALID_INPUT' && error.cause === undefined ? WRONG_USAGE : FAILED;
}
