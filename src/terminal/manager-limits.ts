/** How many terminals a manager may have running, and how many requests waiting. Pure. */
import { limitReached } from '../errors.js';
import type { HeldTerminal } from './held-terminal.js';
import type { EngineOptions } from './options.js';

type Held = Pick<HeldTerminal, 'isActive' | 'waitingReads'>;

/** @throws `LIMIT_REACHED` */
export function checkRoom(terminals: readonly Held[], { maxTerminals }: EngineOptions): void {
  if (terminals.filter(({ isActive }) => isActive).length < maxTerminals) return;
  throw limitReached('TENACITTY_MAX_TERMINALS', maxTerminals, 'Too many terminals are running; end one first');
}

/** @throws `LIMIT_REACHED` */
export function checkWaitingReads(terminals: readonly Held[], { maxWaitingReads }: EngineOptions): void {
  if (waitingReadsOf(terminals) < maxWaitingReads) return;
  throw limitReached('TENACITTY_MAX_WAITING_READS', maxWaitingReads, 'Too many requests are waiting already');
}

export function waitingReadsOf(terminals: readonly Held[]): number {
  return terminals.reduce((sum, { waitingReads }) => sum + waitingReads, 0);
}
