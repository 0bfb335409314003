/** Enforces the limits on a manager's running terminals and waiting requests. Pure. */
import { limitReached } from '../errors.js';
import type { BaseTerminal } from './base-terminal.js';
import type { EngineOptions } from '../contract/options.js';

type Held = Pick<BaseTerminal, 'isActive' | 'waitingReads'>;

/** @throws `LIMIT_REACHED` */
export function checkTerminalLimit(terminals: readonly Held[], { maxTerminals }: EngineOptions): void {
  if (terminals.filter(({ isActive }) => isActive).length < maxTerminals) return;
  throw limitReached('TENACITTY_MAX_TERMINALS', maxTerminals, 'Too many terminals are running; end one first');
}

/**
 * The limit on waiting requests across all callers, as a multiple of the limit per caller. The limit per caller is
 * enforced where callers are known.
 */
const WAITING_CALLERS = 4;

/** @throws `LIMIT_REACHED` */
export function checkWaitingReads(terminals: readonly Held[], { maxWaitingReads }: EngineOptions): void {
  if (waitingReadsOf(terminals) < WAITING_CALLERS * maxWaitingReads) return;
  const what =
    'Too many requests are waiting across all callers: ' +
    `their combined limit is ${WAITING_CALLERS} times the limit per caller`;
  throw limitReached('TENACITTY_MAX_WAITING_READS', maxWaitingReads, what);
}

export function waitingReadsOf(terminals: readonly Held[]): number {
  return terminals.reduce((sum, { waitingReads }) => sum + waitingReads, 0);
}
