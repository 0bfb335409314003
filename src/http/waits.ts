/**
 * Limits the number of waiting requests per caller, so that no caller can use all the waits that the engine allows.
 * Callers are identified by their principals; independent of what is waited for.
 */
import { limitReached } from '../errors.js';
import type { Exchange } from './exchange.js';

export class Waits {
  readonly #max: number;
  readonly #waiting = new Map<string, Set<Exchange>>();

  /** @param max - Maximum number of waiting requests of one caller. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts a request as waiting until it is answered or its caller has left. Safe to call twice.
   *
   * @throws `LIMIT_REACHED`
   */
  begin(exchange: Exchange): void {
    const { principal, over } = exchange;
    if (!principal) throw new Error('A waiting request has not been authenticated');
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
  return limitReached('TENACITTY_MAX_WAITING_READS', max, 'Too many requests of this caller are waiting');
}
