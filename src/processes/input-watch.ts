/**
 * Decides when a program is waiting for input: probes periodically while there is no output, and reports a result when
 * several probes agree. The probe and the clock are passed in.
 */
import { withQueriedKind } from './input-kind.js';
import type { InputProbe } from './input-probe.js';

/** A program does not count as waiting until it has printed nothing for this long. */
export const QUIET_MS = 120;
const PROBE_INTERVAL_MS = 80;
/** The longest interval between probes. A program that keeps working silently is probed less and less often. */
const MAX_PROBE_INTERVAL_MS = 400;
const INTERVAL_GROWTH = 1.15;
/**
 * The pause after a probe is at least this many times as long as the probe: probing hundreds of processes takes
 * milliseconds.
 */
const PAUSE_PER_PROBE_TIME = 20;
/** Number of probes that must agree, because a single one may observe a program that is about to continue. */
const AGREEING_PROBES = 3;
/** A process that also listens to other sources counts as waiting only after it has been inactive for this long. */
const LISTENING_MS = 1500;
/** Share of one processor that counts as inactive: enough for a timer, but not for work. */
const IDLE_CPU_SHARE = 0.05;
const TICK_MS = 10;
/**
 * Minimum interval between queries of the terminal's modes, which decide if the kernel does not report waiting
 * processes.
 */
const QUERY_INTERVAL_MS = 1000;

export interface WatchedTerminal {
  /** Returns the time of a monotonic clock, in milliseconds. */
  now(): number;
  /** Returns the offset after the newest byte of output. */
  outputEnd(): number;
  probe(): InputProbe;
}

export interface WatchResult {
  /**
   * The result that the probes agree on: a process is waiting, or (if `isKnown` is false) it cannot be determined
   * whether one is. Null if there is no such result yet.
   */
  readonly settled: InputProbe | null;
  /** Time until the next check. */
  readonly nextMs: number;
}

export class InputWatch {
  readonly #terminal: WatchedTerminal;
  #outputEnd: number;
  #quietSince: number;
  #first: InputProbe | null = null;
  #firstAt = 0;
  #agreeing = 0;
  #intervalMs = PROBE_INTERVAL_MS;
  #queriedAt = -Infinity;

  /** Starts the watch. Time before this does not count as silence. */
  constructor(terminal: WatchedTerminal) {
    this.#terminal = terminal;
    this.#outputEnd = terminal.outputEnd();
    this.#quietSince = terminal.now();
  }

  /** Call this after each `nextMs`. It can also be called earlier. */
  check(): WatchResult {
    const now = this.#terminal.now();
    this.#noteOutput(now);
    const leftMs = this.#quietSince + QUIET_MS - now;
    if (leftMs > 0) return { settled: null, nextMs: leftMs };
    const probe = this.#terminal.probe();
    const costMs = this.#terminal.now() - now;
    this.#compare(probe, now);
    const settled = this.#isSettled(probe, now) ? probe : null;
    const nextMs = probe.waiting === null ? this.#nextInterval() : PROBE_INTERVAL_MS;
    return { settled, nextMs: Math.max(nextMs, costMs * PAUSE_PER_PROBE_TIME) };
  }

  #noteOutput(now: number): void {
    const end = this.#terminal.outputEnd();
    if (end === this.#outputEnd) return;
    this.#outputEnd = end;
    this.#quietSince = now;
    this.#first = null;
    this.#intervalMs = PROBE_INTERVAL_MS;
  }

  #compare(probe: InputProbe, now: number): void {
    const first = this.#first;
    if (first !== null && isSame(first, probe)) this.#agreeing++;
    else this.#begin(probe, now);
  }

  #begin(probe: InputProbe, now: number): void {
    this.#first = probe;
    this.#firstAt = now;
    this.#agreeing = 1;
  }

  #isSettled(probe: InputProbe, now: number): boolean {
    if (this.#agreeing < AGREEING_PROBES) return false;
    if (probe.waiting === null) return !probe.isKnown && this.#mayQueryTerminal(now);
    return probe.waiting.certain || this.#isIdle(probe, now);
  }

  /** Returns whether a process has been idle for long enough. If it has been busy, restarts the observation. */
  #isIdle(probe: InputProbe, now: number): boolean {
    const passedMs = now - this.#firstAt;
    if (passedMs < LISTENING_MS) return false;
    const usedMs = (probe.cpuTicks - this.#first!.cpuTicks) * TICK_MS;
    if (usedMs <= passedMs * IDLE_CPU_SHARE) return true;
    this.#begin(probe, now);
    return false;
  }

  #mayQueryTerminal(now: number): boolean {
    if (now - this.#queriedAt < QUERY_INTERVAL_MS) return false;
    this.#queriedAt = now;
    return true;
  }

  #nextInterval(): number {
    const everyMs = this.#intervalMs;
    this.#intervalMs = Math.min(everyMs * INTERVAL_GROWTH, MAX_PROBE_INTERVAL_MS);
    return everyMs;
  }
}

function isSame(one: InputProbe, other: InputProbe): boolean {
  return (
    one.isKnown === other.isKnown &&
    one.waiting?.pid === other.waiting?.pid &&
    one.waiting?.certain === other.waiting?.certain
  );
}

/**
 * Resolves to the observation, with its kind filled in, when a program is waiting for input. The terminal's own program
 * also counts: a shell at its prompt is waiting. Resolves to null when `signal` aborts, which is the only outcome if
 * waiting cannot be determined.
 */
export async function waitForInput(
  terminal: Omit<WatchedTerminal, 'now'>,
  signal: AbortSignal,
): Promise<InputProbe | null> {
  const watch = new InputWatch({
    now: () => performance.now(),
    outputEnd: () => terminal.outputEnd(),
    probe: () => terminal.probe(),
  });
  while (!signal.aborted) {
    const { settled, nextMs } = watch.check();
    const refined = settled === null ? null : await withQueriedKind(settled);
    if (refined !== null && refined.waiting !== null && !signal.aborted) return refined;
    await pause(nextMs, signal);
  }
  return null;
}

/**
 * Resolves after `ms`, or when `signal` aborts. Does not reject, because most watches end with an abort, and creating
 * an error each time would cost more than the watch itself.
 */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
