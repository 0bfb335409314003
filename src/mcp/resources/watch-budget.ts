/** Limits how many terminals the clients of one account can watch in total. */
import { limitReached } from '../../errors.js';

/** Limited, because each watched terminal needs a subscription. */
const MAX_WATCHED_TERMINALS = 100;

export class WatchBudget {
  #watched = 0;

  /** @throws `LIMIT_REACHED` if the clients would be watching too many terminals. */
  take(count: number): void {
    if (this.#watched + count > MAX_WATCHED_TERMINALS) {
      throw limitReached('MAX_WATCHED_TERMINALS', MAX_WATCHED_TERMINALS, 'Too many terminals are being watched');
    }
    this.#watched += count;
  }

  release(count: number): void {
    this.#watched -= count;
  }
}
