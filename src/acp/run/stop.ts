/** How a talk with an agent may end, and the exit code that tells of it: the one table. Pure. */

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

export const TIME_IS_UP = 'Time is up (--timeout).';

/** By the reason an agent gives for the end of a turn: the exit code, and words, where any are needed. */
const STOPS = new Map<string, readonly [number, string | null]>([
  ['end_turn', [RUN_EXIT.done, null]],
  ['refusal', [RUN_EXIT.refusal, 'The agent refuses to go on.']],
  ['max_tokens', [RUN_EXIT.maxTokens, 'The agent has no tokens left for this turn.']],
  ['max_turn_requests', [RUN_EXIT.maxRequests, 'The agent has asked its model as often as it may in a turn.']],
  ['cancelled', [RUN_EXIT.cancelled, 'Cancelled.']],
]);
const UNKNOWN_STOP = [RUN_EXIT.failed, 'The agent has stopped for a reason that is not known.'] as const;

export function exitCodeOfStop(reason: string): number {
  return (STOPS.get(reason) ?? UNKNOWN_STOP)[0];
}

/** Null for the end that is meant to be. */
export function stopInWords(reason: string): string | null {
  return (STOPS.get(reason) ?? UNKNOWN_STOP)[1];
}

/** What went wrong with an agent. */
export interface RunError {
  /** Of the agent's answer; null where it gave none. */
  readonly code: number | null;
  readonly message: string;
  /** As the agent has it; null for none. */
  readonly data: unknown;
}

/** How a talk has ended. */
export interface RunEnd {
  readonly exitCode: number;
  /** The agent's own reason for the end of the turn, or one of `REASONS`. */
  readonly reason: string;
  readonly error: RunError | null;
}

/** Why it has ended where it is not the agent that says so; all other codes are `signal`. */
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

/** @param stopReason - The agent's for its last turn, if that is what the talk has ended with; else null. */
export function endOf(exitCode: number, stopReason: string | null): RunEnd {
  const isAgents = stopReason !== null && exitCode === exitCodeOfStop(stopReason);
  return { exitCode, reason: isAgents ? stopReason : (REASONS[exitCode] ?? 'signal'), error: null };
}

export function endByFailure({ exitCode, message, answer }: RunFailure): RunEnd {
  const isOurs = message === '' || exitCode === RUN_EXIT.timeout;
  const error = isOurs ? null : { code: null, message, data: null, ...answer };
  return { ...endOf(exitCode, null), error };
}

/** What is said of a talk that has ended with this code, and of which nobody has said why; empty if nothing is. */
export function endInWords(exitCode: number, isGranting: boolean): string {
  if (exitCode === RUN_EXIT.timeout) return TIME_IS_UP;
  if (exitCode !== RUN_EXIT.notPermitted) return '';
  const why = isGranting
    ? 'the agent asked for a permission that it did not offer'
    : 'it was not permitted what it asked for, because there was nobody to ask; --yes grants';
  return `Exit code ${exitCode}: ${why}.`;
}

/** It cannot go on with this agent; the message is for the person. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';

  constructor(
    readonly exitCode: number,
    message: string,
    /** What the agent has answered, where that is what went wrong. */
    readonly answer: RunError | null = null,
  ) {
    super(message);
  }
}
