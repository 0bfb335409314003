/**
 * Determines when to probe a program: soon after something has happened, then less and less often, and rarely enough
 * that probing all terminals of this process costs little.
 */
import { monotonicMs } from '../../clock.js';
import { QUIET_MS } from '../../processes/input-watch.js';

/** The next probe of an inactive program follows after this share of the time that it has been inactive. */
const GROWTH = 0.25;
const MAX_INTERVAL_MS = 5000;
/** The probes of all inactive programs combined take less than 1/150 of one processor. */
const PAUSE_PER_LOOK = 150;

/** Number of terminals in this process whose programs are probed from time to time. */
let lookedAt = 0;

export class LookTimer {
  /** Probes the program; returns the earliest time to probe again, or null for not before the next call to `soon`. */
  readonly #look: () => Promise<number | null>;
  #timer: NodeJS.Timeout | null = null;
  /** Whether the next probe is soon enough anyway. */
  #isSoon = false;
  #isLooking = false;
  /** Whether something has happened during the probe in progress. */
  #isAgain = false;
  #isStopped = false;
  #since = monotonicMs();
  #costMs = 0;

  constructor(look: () => Promise<number | null>) {
    this.#look = look;
  }

  /** Milliseconds since `restart` or `soon` was last called. */
  get passedMs(): number {
    return monotonicMs() - this.#since;
  }

  /** Call when something has happened. Probes as soon as that can have had an effect. */
  soon(): void {
    this.#isStopped = false;
    this.#isAgain = this.#isLooking;
    if (this.#isSoon || this.#isLooking) return;
    this.restart();
    this.#lookIn(QUIET_MS);
  }

  /** Call when a new state begins. */
  restart(): void {
    this.#since = monotonicMs();
  }

  stop(): void {
    this.#isStopped = true;
    this.#clear();
  }

  /** Notes how long a probe takes. */
  measured<Found>(look: () => Found): Found {
    const began = monotonicMs();
    const found = look();
    this.#costMs = monotonicMs() - began;
    return found;
  }

  #lookIn(ms: number): void {
    if (this.#timer === null) lookedAt++;
    else clearTimeout(this.#timer);
    this.#isSoon = ms <= QUIET_MS;
    this.#timer = setTimeout(() => void this.#run(), ms).unref();
  }

  /** Never rejects: if probing is not possible now, because this process is out of descriptors, probes later. */
  async #run(): Promise<void> {
    this.#isLooking = true;
    const leastMs = await this.#look().catch(() => MAX_INTERVAL_MS);
    this.#isLooking = false;
    const isAgain = this.#isAgain;
    this.#isAgain = false;
    if (this.#isStopped) return;
    if (isAgain) this.#lookIn(QUIET_MS);
    else if (leastMs === null) this.#clear();
    else this.#lookIn(this.#interval(leastMs));
  }

  #interval(leastMs: number): number {
    const mostMs = Math.max(MAX_INTERVAL_MS, this.#costMs * lookedAt * PAUSE_PER_LOOK);
    return Math.min(Math.max(leastMs, this.passedMs * GROWTH), mostMs);
  }

  #clear(): void {
    this.#isSoon = false;
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    lookedAt--;
  }
}
