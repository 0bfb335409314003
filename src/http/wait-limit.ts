/**
 * Limits the number of waiting requests per caller, so that no caller can use up all the waits that the engine allows.
 * Identifies callers by their principals, and does not depend on what is waited for.
 */
import { accountOf } from '../access/principal.js';
import { limitReached } from '../errors.js';
import type { Exchange } from './exchange.js';

export class WaitLimit {
  readonly #max: number;
  /** The number of waiting calls in each request, by principal. */
  readonly #waiting = new Map<string, Map<Exchange, number>>();

  /** @param max - Maximum number of calls per caller that can wait at the same time. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts a request as waiting until its response has been sent or its caller has left. If called again for the same
   * request, raises the count if `calls` is larger than before.
   *
   * @param calls - Number of calls in the request that may wait.
   * @throws `LIMIT_REACHED` if too many of the caller's calls are already waiting.
   */
  begin(exchange: Exchange, calls = 1): void {
    const { principal, over } = exchange;
    if (!principal) throw new Error('A waiting request has not been authenticated');
    const account = accountOf(principal);
    const own = this.#waiting.get(account) ?? new Map<Exchange, number>();
    const counted = own.get(exchange) ?? 0;
    if (counted >= calls || over.aborted) return;
    if (sumOf(own) - counted + calls > this.#max) throw tooMany(this.#max);
    this.#waiting.set(account, own.set(exchange, calls));
    if (counted === 0) over.addEventListener('abort', () => this.#end(account, own, exchange), { once: true });
  }

  #end(account: string, own: Map<Exchange, number>, exchange: Exchange): void {
    own.delete(exchange);
    if (own.size === 0 && this.#waiting.get(account) === own) this.#waiting.delete(account);
  }
}

function sumOf(counts: ReadonlyMap<Exchange, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function tooMany(max: number) {
  return limitReached('TENACITTY_MAX_WAITING_READS', max, 'Too many requests of this caller are waiting');
}
