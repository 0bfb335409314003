/**
 * How many requests of each caller wait: nobody can take all the waits that the engine has. It knows callers by their
 * principals, and not what is waited for.
 */
import { limitReached } from '../errors.js';
import type { Exchange } from './exchange.js';

export class Waits {
  readonly #max: number;
  readonly #waiting = new Map<string, Set<Exchange>>();

  /** @param max - Most requests of one caller that may wait at one time. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts a request among those that wait, until it is answered or its caller has left. Safe to call twice.
   *
   * @throws `LIMIT_REACHED`
   */
  begin(exchange: Exchange): void {
    const { principal, over } = exchange;
    if (!principal) throw new Error('A request waits that has not passed the gate');
    const own = this.#waiting.get(principal.id) ?? new Set();
    if (own.has(exchange) || over.aborted) return;
    if (own.size >= this.#max) throw tooMany(this.#max);
    this.#waiting.set(principal.id, own.add(exchange));
    over.addEventListener('abort', () => this.#end(principal.id, own, exchange), { once: true });
  }

  #end(principalId: string, own: Set<Exchange>, exchange: Exchange): void {
    own.delete(exchange);
    if (own.size === 0 && this.#waiting.get(principalId) === own) this.#waiting.delete(principalId);
  }
}

function tooMany(max: number) {
  return limitReached('TENACITTY_MAX_WAITING_READS', max, 'Too many requests of this caller are waiting already');
}
