/**
 * Limits how much is sent to clients that only view. All clients of this process have equal shares, so that many
 * clients do not slow a program down. Pure; the time is passed in.
 */

/** The rate that all clients of this process share, if there are several. */
const BYTES_PER_MS = (48 << 20) / 1000;
/** A client can save up its unused share, at most as much as accrues in this time. */
const SAVED_MS = 250;
/**
 * Minimum interval between snapshots for clients that miss output: at most ten a second per client, and a hundred a
 * second across all clients.
 */
const SNAPSHOT_INTERVAL_MS = { each: 100, all: 10 };

export class Allowance {
  static #clients = 0;
  #bytes: number;
  #at: number;

  constructor(now: number) {
    this.#at = now;
    Allowance.#clients++;
    this.#bytes = this.#most;
  }

  /** Call once when the client has disconnected. */
  end(): void {
    Allowance.#clients--;
  }

  /** Returns whether more may be sent to the client. */
  take(bytes: number, now: number): boolean {
    this.#refill(now);
    this.#bytes = Math.max(-this.#most, this.#bytes - bytes);
    return this.#bytes > 0 || Allowance.#clients === 1;
  }

  /**
   * Returns how long a client that misses output must wait for its snapshot: at least until half of its share is
   * available again.
   */
  waitMs(now: number): number {
    this.#refill(now);
    const { each, all } = SNAPSHOT_INTERVAL_MS;
    return Math.max(each, all * Allowance.#clients, (this.#most / 2 - this.#bytes) / this.#share);
  }

  get #share(): number {
    return BYTES_PER_MS / Allowance.#clients;
  }

  get #most(): number {
    return SAVED_MS * this.#share;
  }

  #refill(now: number): void {
    this.#bytes = Math.min(this.#most, this.#bytes + (now - this.#at) * this.#share);
    this.#at = now;
  }
}
