/** Defines the error class and the table of error codes. */

interface ErrorKind {
  /** HTTP status of a REST response. */
  readonly status: number;
  /** JSON-RPC error code of an ACP response. */
  readonly rpc: number;
  /** Whether the same call can succeed later without changes. */
  readonly retryable: boolean;
  /** One sentence for the documentation. */
  readonly meaning: string;
}

const RPC_INVALID_PARAMS = -32602;
const RPC_INTERNAL = -32603;
const RPC_NOT_FOUND = -32002;
/** The code for refusals. It is not -32000, because ACP agents interpret that as a request to log in first. */
const RPC_REFUSED = -32010;

/** Every error code that a caller can receive. The first seven come from the original API. */
export const ERROR_KINDS = {
  TERMINAL_NOT_FOUND: {
    status: 404,
    rpc: RPC_NOT_FOUND,
    retryable: false,
    meaning: 'No terminal has this id or name: it never existed, was removed, or expired.',
  },
  TERMINAL_INACTIVE: {
    status: 409,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning: 'The program in this terminal has ended; its output can still be read.',
  },
  INVALID_INPUT: {
    status: 400,
    rpc: RPC_INVALID_PARAMS,
    retryable: false,
    meaning: 'A parameter is missing, unknown, of the wrong type or out of range; `details.issues` lists each problem.',
  },
  WRITE_FAILED: {
    status: 500,
    rpc: RPC_INTERNAL,
    retryable: true,
    meaning: 'The input could not be delivered to the program.',
  },
  READ_FAILED: {
    status: 500,
    rpc: RPC_INTERNAL,
    retryable: true,
    meaning: 'The output could not be read.',
  },
  KILL_FAILED: {
    status: 500,
    rpc: RPC_INTERNAL,
    retryable: true,
    meaning: 'Some processes of the terminal could not be ended; `details.pids` lists them.',
  },
  INTERNAL_ERROR: {
    status: 500,
    rpc: RPC_INTERNAL,
    retryable: true,
    meaning: 'An internal error in tenacitty; the log contains the details under the `requestId`.',
  },
  SPAWN_FAILED: {
    status: 500,
    rpc: RPC_INTERNAL,
    retryable: true,
    meaning: 'The operating system refused to start the program (for example: too many processes).',
  },
  LIMIT_REACHED: {
    status: 409,
    rpc: RPC_REFUSED,
    retryable: true,
    meaning:
      'A limit on a number or size has been reached; `details.limit` names the setting and `details.value` its value.',
  },
  RATE_LIMITED: {
    status: 429,
    rpc: RPC_REFUSED,
    retryable: true,
    meaning: 'Too many requests from this caller; `Retry-After` says how many seconds to wait.',
  },
  TERMINAL_BUSY: {
    status: 409,
    rpc: RPC_REFUSED,
    retryable: true,
    meaning:
      'The shell of this terminal cannot take a command now; `details` contains its state and the command that is ' +
      'running.',
  },
  TERMINAL_HELD: {
    status: 409,
    rpc: RPC_REFUSED,
    retryable: true,
    meaning: 'Another caller holds this terminal; `details.holder` contains its name and the start of its hold.',
  },
  NOT_WAITING: {
    status: 409,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning:
      'The program is not asking this question, so nothing was typed; `details.waiting` is the question that it is ' +
      'asking now, or null.',
  },
  NAME_TAKEN: {
    status: 409,
    rpc: RPC_REFUSED,
    retryable: true,
    meaning:
      'Another running terminal has this name; `details.terminalId` is its id. The name is free again when that ' +
      'terminal ends.',
  },
  COMMAND_NOT_FOUND: {
    status: 404,
    rpc: RPC_NOT_FOUND,
    retryable: false,
    meaning: 'No command of this terminal has this number: it never existed, or its record is no longer kept.',
  },
  HOOK_NOT_FOUND: {
    status: 404,
    rpc: RPC_NOT_FOUND,
    retryable: false,
    meaning: 'No hook has this id: it never existed, or was removed.',
  },
  SIGN_IN_NOT_FOUND: {
    status: 404,
    rpc: RPC_NOT_FOUND,
    retryable: false,
    meaning: 'No sign-in has this id: it never existed, has ended, or belongs to someone else.',
  },
  NOT_INTEGRATED: {
    status: 409,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning: 'There is no shell integration in this terminal; type into it and read its output instead.',
  },
  UNAUTHORIZED: {
    status: 401,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning: 'The request has no valid API key and does not qualify for local trust.',
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning: 'The Host header names a host that this server does not serve.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning: 'The request comes from a web page whose origin is not allowed.',
  },
  FORBIDDEN: {
    status: 403,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning: 'The role of this caller does not allow this: a viewer can only watch.',
  },
  UPGRADE_REQUIRED: {
    status: 426,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning: 'This address is served only over WebSocket.',
  },
  COMMAND_DENIED: {
    status: 403,
    rpc: RPC_REFUSED,
    retryable: false,
    meaning:
      'The policy of this server does not allow this command or input; `details.rule` names the rule, and ' +
      '`details.hint` says what to do.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    rpc: -32601,
    retryable: false,
    meaning: 'There is no such route.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    rpc: -32601,
    retryable: false,
    meaning: 'The route does not support this method; `Allow` lists the methods that it supports.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    rpc: RPC_INVALID_PARAMS,
    retryable: false,
    meaning: 'The request body or the input is too large; `details.limit` names the limit.',
  },
  KEY_REUSED: {
    status: 422,
    rpc: RPC_INVALID_PARAMS,
    retryable: false,
    meaning: 'This `Idempotency-Key` was used with a different request within the last ten minutes.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    rpc: RPC_INVALID_PARAMS,
    retryable: false,
    meaning:
      'The request accepts only a stream of events (`Accept: text/event-stream`), which this route does not have.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    rpc: RPC_INVALID_PARAMS,
    retryable: false,
    meaning: 'A request body must be sent as `Content-Type: application/json`, in UTF-8.',
  },
  UNSUPPORTED_PLATFORM: {
    status: 501,
    rpc: RPC_INTERNAL,
    retryable: false,
    meaning: 'This platform does not support terminals (for example musl libc, as in Alpine).',
  },
  HOST_UNRESPONSIVE: {
    status: 503,
    rpc: RPC_INTERNAL,
    retryable: true,
    meaning: "This terminal's host process is not responding; run `tenacitty doctor` for details.",
  },
  HOST_LOST: {
    status: 503,
    rpc: RPC_INTERNAL,
    retryable: true,
    meaning:
      'The host process of this terminal ended before it responded; whether it executed the request is unknown, so a ' +
      'repeated input without a key may be typed twice.',
  },
  HOST_FAILED: {
    status: 503,
    rpc: RPC_INTERNAL,
    retryable: true,
    meaning: 'The host process for the terminal cannot be started or reached; the message says why.',
  },
  SHUTTING_DOWN: {
    status: 503,
    rpc: RPC_REFUSED,
    retryable: true,
    meaning: 'The server is stopping and accepts no new work.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** One problem in a request: where it is, what was given, and what was expected. */
export interface InputIssue {
  /** Path of the field, such as `body.cols`, `query.mode`, `path.terminalId` or a plain option name. */
  readonly field: string;
  readonly message: string;
  /** The given value, shortened if it is long; absent if none was given. */
  readonly given?: unknown;
  /** What would have been accepted. */
  readonly expected?: string;
}

/**
 * The only error that the engine and the API layers throw deliberately. A program that fails inside a terminal is a
 * result, never an error of this class.
 */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  get kind(): ErrorKind {
    return ERROR_KINDS[this.code];
  }
}

/** Creates an INVALID_INPUT error that names each field, the given value and the expected value. */
export function invalidInput(...issues: InputIssue[]): TerminalError {
  const sentences = issues.map((issue) => `${issue.field}: ${issue.message}`);
  const message = sentences.reduce((text, next) => text + (/[.?]$/.test(text) ? ' ' : '; ') + next);
  return new TerminalError('INVALID_INPUT', message, { issues });
}

/** Creates a LIMIT_REACHED error that names the setting and its value. */
export function limitReached(limit: string, value: number, what: string): TerminalError {
  return new TerminalError('LIMIT_REACHED', `${what} (${limit} is ${value})`, { limit, value });
}

/** Creates the SHUTTING_DOWN error of a request for a new terminal. */
export function createsNoTerminals(): TerminalError {
  return new TerminalError('SHUTTING_DOWN', 'The server is stopping and creates no new terminals');
}

/** Returns the issue that an error reports about a field, or undefined if there is none. */
export function issueOf(error: unknown, field: string): InputIssue | undefined {
  if (!(error instanceof TerminalError)) return undefined;
  return (error.details['issues'] as InputIssue[] | undefined)?.find((issue) => issue.field === field);
}
