/**
 * Decides when a program must wait for its holder's client: while too much of the program's output has not been drawn,
 * unless the client has been silent for too long.
 */

/**
 * The program starts to wait when more than this has not been drawn, and continues when less than `RESUME_BYTES` is
 * left.
 */
const MAX_UNDRAWN_BYTES = 256 << 10;
const RESUME_BYTES = 32 << 10;

/** Calls back after this time; returns a function that cancels it. */
export type Schedule = (ms: number, call: () => void) => () => void;

const byTimer: Schedule = (ms, call) => {
  const timer = setTimeout(call, ms).unref();
  return () => clearTimeout(timer);
};

export class BackPressure {
  /** Stops or continues reading the program's output. */
  onPause: (isPaused: boolean) => void = () => {};
  /** How long the program waits for a silent client. */
  maxSilenceMs = 10_000;
  readonly #schedule: Schedule;
  /**
   * Offset that the client has drawn up to; null if no client reports this, in which case the program does not wait.
   */
  #drawn: number | null = null;
  /** The highest offset that the current client has drawn, even if the program has since stopped waiting for it. */
  #mostDrawn = -1;
  /** Set while the program is waiting. */
  #cancel: (() => void) | null = null;

  constructor(schedule: Schedule = byTimer) {
    this.#schedule = schedule;
  }

  /**
   * Call when the client has drawn up to `offset`. If the program had stopped waiting for the client, it can wait again
   * once the client has drawn more.
   */
  drawn(offset: number, end: number): void {
    this.heard();
    if (offset <= this.#mostDrawn) return;
    this.#drawn = this.#mostDrawn = Math.min(offset, end);
    if (end - this.#drawn < RESUME_BYTES) this.#resume();
    else this.printed(end);
  }

  /** Call when the program has printed up to `end`. */
  printed(end: number): void {
    if (this.#drawn === null || this.#cancel !== null || end - this.#drawn <= MAX_UNDRAWN_BYTES) return;
    this.#wait();
    this.onPause(true);
  }

  /** Call when the client has sent something. */
  heard(): void {
    if (this.#cancel !== null) this.#wait();
  }

  /** Call when the client no longer holds the terminal, or no longer reports what it has drawn. */
  stop(): void {
    this.#mostDrawn = -1;
    this.#giveUp();
  }

  #wait(): void {
    this.#cancel?.();
    this.#cancel = this.#schedule(this.maxSilenceMs, () => this.#giveUp());
  }

  #giveUp(): void {
    this.#drawn = null;
    this.#resume();
  }

  #resume(): void {
    if (this.#cancel === null) return;
    this.#cancel();
    this.#cancel = null;
    this.onPause(false);
  }
}
