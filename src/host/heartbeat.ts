/**
 * Determines whether the other side is alive by pinging it periodically. Counts missed pings instead of elapsed time,
 * so that a process that was itself stopped, or a machine that slept, does not consider the other side dead.
 */

export interface HeartbeatOptions {
  readonly pingEveryMs: number;
  readonly unresponsiveAfterMs: number;
}

interface HeartbeatEvents {
  ping(): void;
  /** Called once each time the other side has been silent for too long. */
  onSilence(): void;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #events: HeartbeatEvents;
  readonly #timer: NodeJS.Timeout;
  /** Pings sent since the last message was received. */
  #missed = 0;
  #heardAt = performance.now();
  #isSilent = false;

  constructor(options: HeartbeatOptions, events: HeartbeatEvents) {
    this.#options = options;
    this.#events = events;
    this.#timer = setInterval(() => this.#beat(), options.pingEveryMs).unref();
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Time since the last message was received. */
  get silentMs(): number {
    return performance.now() - this.#heardAt;
  }

  heard(): void {
    this.#missed = 0;
    this.#isSilent = false;
    this.#heardAt = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const { pingEveryMs, unresponsiveAfterMs } = this.#options;
    // The response to the first ping can be overdue only at the second ping.
    const isTooLong = this.#missed * pingEveryMs >= unresponsiveAfterMs;
    this.#missed++;
    this.#events.ping();
    if (!isTooLong || this.#isSilent) return;
    this.#isSilent = true;
    this.#events.onSilence();
  }
}
