/** Limits how many terminals the clients of one account watch together. */
import { limitReached } from '../../errors.js';

/** Each watched terminal needs one subscription. */
const MAX_WATCHED_TERMINALS = 100;

export class WatchBudget {
  #watched = 0;

  /** @throws `LIMIT_REACHED` */
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
