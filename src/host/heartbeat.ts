/**
 * Tells whether the other side is well by asking now and then. It counts its own beats, not the clock: a process that
 * was itself stopped, or a machine that slept, does not take the other side for dead. It knows no wire.
 */

export interface HeartbeatOptions {
  readonly pingEveryMs: number;
  readonly unresponsiveAfterMs: number;
}

interface HeartbeatEvents {
  ping(): void;
  /** The other side has been silent for too long; called once for each time. */
  onSilence(): void;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #events: HeartbeatEvents;
  readonly #timer: NodeJS.Timeout;
  /** Beats since something was heard. */
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

  /** How long nothing was heard. */
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
    // What was asked at the first beat can be missing from the second on.
    const isTooLong = this.#missed * pingEveryMs >= unresponsiveAfterMs;
    this.#missed++;
    this.#events.ping();
    if (!isTooLong || this.#isSilent) return;
    this.#isSilent = true;
    this.#events.onSilence();
  }
}
