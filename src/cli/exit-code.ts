/** The exit codes and what each means. docs/cli.md and the help are generated from this table. */
import { constants } from 'node:os';
import type { EndedBy, EndReason } from '../contract/ending.js';
import { TerminalError } from '../errors.js';

export const OK = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const NO_SUCH_TERMINAL = 3;
export const TIMED_OUT = 4;
/** As in timeout(1). */
export const COMMAND_GOES_ON = 124;
export const COMMAND_ASKS = 125;
/** As in env(1), for programs that cannot be run. */
export const NOT_BEGUN = 126;
export const NO_SUCH_PROGRAM = 127;
const SIGNAL_BASE = 128;
const READER_GONE = SIGNAL_BASE + constants.signals.SIGPIPE;

/** For people: codes and meanings. */
export const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  [String(OK), 'Done. For `attach`: detached, or the program has ended, whatever its exit code.'],
  [
    String(FAILED),
    'Failed; stderr says why. `ls`, `stats`, `kill`, `rm`: also where a host does not answer; what the other hosts hold is listed or ended all the same. `logs -f`: also where the terminal is lost. `search`: nothing was found.',
  ],
  [String(WRONG_USAGE), 'Wrong usage: a command, flag, setting or value that cannot be used.'],
  [String(NO_SUCH_TERMINAL), 'No such terminal, or several where one is needed.'],
  [String(TIMED_OUT), '`wait --timeout`: the program still runs; what was waited for has not come about.'],
  ['10', '`acp run`: the agent refuses to go on.'],
  ['11', '`acp run`: the agent has no tokens left for the turn.'],
  ['12', '`acp run`: the agent has asked its model as often as it may in a turn.'],
  ['13', '`acp run`: the agent wants you to sign in; stderr says how.'],
  ['14', '`acp run`: the agent has ended, or does not speak the protocol.'],
  [
    String(COMMAND_GOES_ON),
    '`exec --timeout`: time was up. The command goes on, and stderr says how to collect it; or it was not begun, as the shell still started, and never runs. `acp run --timeout`: time was up.',
  ],
  [
    String(COMMAND_ASKS),
    '`exec`: the command waits for input, and goes on when it gets it. `acp run`: the agent asked for a permission that nobody gave (see --yes).',
  ],
  [String(NOT_BEGUN), '`exec`: the command was not begun, because the terminal is busy; stderr says with what.'],
  [String(NO_SUCH_PROGRAM), '`run`, `acp run`: there is no such program, or it may not be executed.'],
  [
    `${SIGNAL_BASE} + n`,
    'Ended by signal n: the program (`run`, `exec`, `wait`), or the command itself. `acp run`: 130 for a turn that was cancelled.',
  ],
  [String(READER_GONE), 'Whoever read stdout has closed it (128 + SIGPIPE), as `head` does.'],
  ['any other', '`run`, `exec`, `wait`: the exit code of the program, of the command.'],
];

/** The reader of stdout has closed it. The command ends without a message. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** How a program ended. Both are null if that is unknown. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The exit code that passes on how a program ended, as shells do: 128 + n for signal n. FAILED if unknown. */
export function exitCodeOfProgram({ exitCode, signal }: Ending): number {
  return exitCode ?? exitCodeOfSignal(signal);
}

export function exitCodeOfSignal(signal: string | null): number {
  const number = signal === null ? undefined : (constants.signals as Record<string, number>)[signal];
  return number === undefined ? FAILED : SIGNAL_BASE + number;
}

/** Whether the ending was not observed. */
export function isUnknown({ exitCode, signal }: Ending): boolean {
  return exitCode === null && signal === null;
}

/** `exit code 3`, `SIGKILL`. */
export function endingInWords({ exitCode, signal }: Ending): string {
  if (signal !== null) return signal;
  return exitCode === null ? 'an unknown exit code' : `exit code ${exitCode}`;
}

const REASONS: Readonly<Partial<Record<EndReason, string>>> = {
  deleted: 'it was ended by request',
  session_timeout: 'its shell was idle for too long',
  running_timeout: 'it was quiet for too long',
  time_limit: 'its time limit was reached',
  shutdown: 'its host was stopped',
  connection_closed: 'its connection was closed',
};

/** ` (its time limit was reached: timeLimitMs)`; empty if the program ended by itself or the reason is unknown. */
export function reasonInWords({ reason, setting }: Pick<EndedBy, 'reason' | 'setting'>): string {
  const words = REASONS[reason];
  return words === undefined ? '' : ` (${words}${setting === undefined ? '' : `: ${setting}`})`;
}

/** The exit code for an error. A refusal by the system is not a usage error, whatever was requested. */
export function exitCodeOfError(error: unknown): number {
  if (error instanceof ReaderGone) return READER_GONE;
  if (!(error instanceof TerminalError)) return FAILED;
  if (error.code === 'TERMINAL_NOT_FOUND') return NO_SUCH_TERMINAL;
  if (error.code === 'TERMINAL_BUSY') return NOT_BEGUN;
  return error.code === 'INVALID_INPUT' && error.cause === undefined ? WRONG_USAGE : FAILED;
}
