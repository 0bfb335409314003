/** Lists how a conversation with an agent can end, and the exit code for each case. Pure. */

export const RUN_EXIT = {
  done: 0,
  failed: 1,
  refusal: 10,
  maxTokens: 11,
  maxRequests: 12,
  signIn: 13,
  noAgent: 14,
  timeout: 124,
  notPermitted: 125,
  notStarted: 127,
  cancelled: 130,
} as const;

export const TIMEOUT_MESSAGE = 'The timeout expired (--timeout).';

/** Maps an agent's stop reason to an exit code and, if needed, an explanation. */
const STOPS = new Map<string, readonly [number, string | null]>([
  ['end_turn', [RUN_EXIT.done, null]],
  ['refusal', [RUN_EXIT.refusal, 'The agent refused to continue.']],
  ['max_tokens', [RUN_EXIT.maxTokens, 'The agent reached its token limit for this turn.']],
  ['max_turn_requests', [RUN_EXIT.maxRequests, 'The agent reached its limit of model requests for this turn.']],
  ['cancelled', [RUN_EXIT.cancelled, 'Cancelled.']],
]);
const UNKNOWN_STOP = [RUN_EXIT.failed, 'The agent stopped for an unknown reason.'] as const;

export function exitCodeOfStop(reason: string): number {
  return (STOPS.get(reason) ?? UNKNOWN_STOP)[0];
}

/** Explains a stop reason, or returns null for the normal end of a turn. */
export function describeStop(reason: string): string | null {
  return (STOPS.get(reason) ?? UNKNOWN_STOP)[1];
}

/** An error that ended a conversation or a turn. */
export interface RunError {
  /** The code in the agent's response, or null if there was no response. */
  readonly code: number | null;
  readonly message: string;
  /** The data exactly as the agent sent it, or null if there is none. */
  readonly data: unknown;
}

/** How a conversation ended. */
export interface RunEnd {
  readonly exitCode: number;
  /** The agent's stop reason, or one of `REASONS`. */
  readonly reason: string;
  readonly error: RunError | null;
}

/** Reasons that do not come from the agent. Every code that is not listed stands for `signal`. */
const REASONS: Readonly<Record<number, string>> = {
  [RUN_EXIT.done]: 'quit',
  [RUN_EXIT.failed]: 'error',
  [RUN_EXIT.signIn]: 'sign_in',
  [RUN_EXIT.noAgent]: 'no_agent',
  [RUN_EXIT.timeout]: 'timeout',
  [RUN_EXIT.notPermitted]: 'not_permitted',
  [RUN_EXIT.notStarted]: 'not_started',
  [RUN_EXIT.cancelled]: 'cancelled',
};

/**
 * Returns how a conversation ended.
 *
 * @param stopReason - The agent's stop reason for the last turn if that turn ended the conversation, otherwise null.
 */
export function endOf(exitCode: number, stopReason: string | null): RunEnd {
  const isAgents = stopReason !== null && exitCode === exitCodeOfStop(stopReason);
  return { exitCode, reason: isAgents ? stopReason : (REASONS[exitCode] ?? 'signal'), error: null };
}

export function endByFailure({ exitCode, message, answer }: RunFailure): RunEnd {
  const isOurs = message === '' || exitCode === RUN_EXIT.timeout;
  const error = isOurs ? null : { code: null, message, data: null, ...answer };
  return { ...endOf(exitCode, null), error };
}

/**
 * Returns the message for a conversation that ended with this code and has not been explained yet, or an empty string
 * if no message is needed.
 */
export function describeRunEnd(exitCode: number, isGranting: boolean): string {
  if (exitCode === RUN_EXIT.timeout) return TIMEOUT_MESSAGE;
  if (exitCode !== RUN_EXIT.notPermitted) return '';
  const why = isGranting
    ? 'the agent asked for permission without offering an option that grants it'
    : 'a permission request could not be answered without a terminal, and was rejected; --yes grants such ' +
      'requests';
  return `Exit code ${exitCode}: ${why}.`;
}

/** Thrown if the conversation cannot continue with this agent. The message is written for the person. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';

  constructor(
    readonly exitCode: number,
    message: string,
    /** The agent's response, if the response was the failure. */
    readonly answer: RunError | null = null,
  ) {
    super(message);
  }
}
