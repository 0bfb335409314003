/**
 * How much one client that only views may be sent: all clients of this process have an equal share, so that many of them
 * do not slow a program down. Pure; the time is passed in.
 */

/** Shared by all clients, if there are several. */
const BYTES_PER_MS = (48 << 20) / 1000;
/** A client may use at once what it has not used in this time. */
const SAVED_MS = 250;
/** Clients that miss output get a snapshot: at most ten a second for each, and a hundred for all. */
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

  /** The client is gone. Call once. */
  end(): void {
    Allowance.#clients--;
  }

  /** Returns whether the client may be sent more. */
  take(bytes: number, now: number): boolean {
    this.#refill(now);
    this.#bytes = Math.max(-this.#most, this.#bytes - bytes);
    return this.#bytes > 0 || Allowance.#clients === 1;
  }

  /** How long a client that misses output waits for its snapshot: at least until it has half of its share again. */
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
