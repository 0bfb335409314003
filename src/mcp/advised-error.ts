/** Describes an error for an agent: its code, what is wrong, and what to do next. */
import { commandName } from '../command-name.js';
import { TerminalError } from '../errors.js';
import type { ErrorCode } from '../errors.js';
import type { Metadata } from './facts.js';

/** An error that carries its own advice. */
export class AdvisedError extends TerminalError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly next: string,
    details: TerminalError['details'] = {},
  ) {
    super(code, message, details);
  }
}

/** @param number - The terminal's number, if the caller identifies the terminal by that instead of its id. */
export function explainError(error: unknown, number?: number): Metadata {
  if (!(error instanceof TerminalError)) {
    return {
      error: 'INTERNAL_ERROR',
      message: `Internal error in tenacitty: ${String(error)}.`,
      hint: NEXT.INTERNAL_ERROR,
    };
  }
  const message = numbered(asSentence(error.message), error, number);
  return { error: error.code, message, hint: nextOf(error) || null };
}

function numbered(message: string, { details }: TerminalError, number: number | undefined): string {
  const { terminalId: id } = details;
  return typeof id === 'string' && number !== undefined ? message.replaceAll(id, String(number)) : message;
}

/**
 * Returns the advice on what to do next. A hint from the code that threw the error takes precedence over the general
 * hint for its error code.
 */
function nextOf(error: TerminalError): string | undefined {
  const { hint } = error.details;
  if (error instanceof AdvisedError) return error.next;
  return error.code === 'COMMAND_DENIED' && typeof hint === 'string' ? hint : NEXT[error.code];
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

const DOCTOR = `${commandName()} doctor`;

/** Advice on what to do next, by error code; none for errors that MCP does not report. */
const NEXT: Readonly<Partial<Record<ErrorCode, string>>> = {
  TERMINAL_NOT_FOUND: 'LIST shows the terminals; EXEC with a number creates one.',
  TERMINAL_INACTIVE: 'READ still returns its output; EXEC with a number starts a new shell.',
  INVALID_INPUT: 'Correct the call and try again.',
  WRITE_FAILED: 'Try again.',
  READ_FAILED: 'Try again.',
  KILL_FAILED: 'SIGNAL with SIGKILL and all true may end them.',
  INTERNAL_ERROR: 'Try again.',
  SPAWN_FAILED: 'KILL terminals that you do not need, then try again.',
  LIMIT_REACHED: 'LIST the terminals and KILL those that you do not need, or wait and try again.',
  RATE_LIMITED: 'Wait a few seconds and try again.',
  TERMINAL_BUSY: 'WAIT for its end, use INPUT keys ["ctrl-c"] to stop it, or use another terminal number.',
  TERMINAL_HELD: 'Wait until it is handed back, or use another terminal number.',
  NOT_WAITING: 'Nothing was typed. SCREEN shows what the program is asking now, if anything.',
  NAME_TAKEN: 'Choose another name, or use that terminal.',
  COMMAND_NOT_FOUND: 'READ without command_id returns the output of the last command.',
  NOT_INTEGRATED: 'INPUT types into it; SCREEN and READ with command_id 0 show its output.',
  COMMAND_DENIED: 'Use an allowed command, or ask the user. Do not try to bypass the policy.',
  PAYLOAD_TOO_LARGE: 'Send less, or write the data to a file and use that.',
  UNSUPPORTED_PLATFORM: 'WAIT for a pattern or for idle_ms instead.',
  HOST_UNRESPONSIVE: `Try again; if the error persists, ask the user to run ${DOCTOR}.`,
  HOST_LOST: 'READ shows whether the request had an effect.',
  HOST_FAILED: `Ask the user to run ${DOCTOR}.`,
  SHUTTING_DOWN: 'Try again later.',
};
