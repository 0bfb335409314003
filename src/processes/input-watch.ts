/**
 * When to believe that a program waits for input: looks from time to time once there is no output, and speaks when
 * several looks agree. It knows neither where the looks come from nor what time is: both are given.
 */
import { refine } from './input-kind.js';
import type { InputProbe } from './input-probe.js';

/** A program that prints does not wait yet. */
const QUIET_MS = 120;
const LOOK_EVERY_MS = 80;
/** A program that goes on without a word is looked at less and less often, up to this. */
const MAX_LOOK_EVERY_MS = 400;
const SLOWER_BY = 1.15;
/** Looking at a terminal with hundreds of processes takes milliseconds; so many times as long is then left between. */
const PAUSE_PER_COST = 20;
/** Looks that must agree: one may fall between two reads of a program that is about to go on. */
const AGREEING_LOOKS = 3;
/** Who also listens to other things counts as waiting when nothing has come of those for so long. */
const LISTENING_MS = 1500;
/** Share of one processor that such a program may use meanwhile: a timer's worth, not work. */
const IDLE_CPU_SHARE = 0.05;
const TICK_MS = 10;
/** Where the kernel does not tell, the terminal is asked this often at most. */
const ASK_BLINDLY_EVERY_MS = 1000;

export interface WatchedTerminal {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Offset behind the newest byte of output. */
  outputEnd(): number;
  probe(): InputProbe;
}

export interface Look {
  /** What all looks agree upon: somebody waits, or (`isKnown` false) nobody can be seen; null: not yet sure. */
  readonly settled: InputProbe | null;
  /** When to look again. */
  readonly nextMs: number;
}

export class InputWatch {
  readonly #terminal: WatchedTerminal;
  #outputEnd: number;
  #quietSince: number;
  #first: InputProbe | null = null;
  #firstAt = 0;
  #agreeing = 0;
  #lookEveryMs = LOOK_EVERY_MS;
  #askedBlindlyAt = -Infinity;

  /** Begins now: what was printed before does not count as silence. */
  constructor(terminal: WatchedTerminal) {
    this.#terminal = terminal;
    this.#outputEnd = terminal.outputEnd();
    this.#quietSince = terminal.now();
  }

  /** To be called after each `nextMs`; sooner is allowed, and seen as such. */
  look(): Look {
    const now = this.#terminal.now();
    this.#noteOutput(now);
    const leftMs = this.#quietSince + QUIET_MS - now;
    if (leftMs > 0) return { settled: null, nextMs: leftMs };
    const probe = this.#terminal.probe();
    const costMs = this.#terminal.now() - now;
    this.#compare(probe, now);
    const settled = this.#isSettled(probe, now) ? probe : null;
    const nextMs = probe.waiting === null ? this.#slower() : LOOK_EVERY_MS;
    return { settled, nextMs: Math.max(nextMs, costMs * PAUSE_PER_COST) };
  }

  #noteOutput(now: number): void {
    const end = this.#terminal.outputEnd();
    if (end === this.#outputEnd) return;
    this.#outputEnd = end;
    this.#quietSince = now;
    this.#first = null;
    this.#lookEveryMs = LOOK_EVERY_MS;
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
    if (this.#agreeing < AGREEING_LOOKS) return false;
    if (probe.waiting === null) return !probe.isKnown && this.#mayAskBlindly(now);
    return probe.waiting.certain || this.#isIdle(probe, now);
  }

  /** Whoever works is given a new time to be done. */
  #isIdle(probe: InputProbe, now: number): boolean {
    const passedMs = now - this.#firstAt;
    if (passedMs < LISTENING_MS) return false;
    const usedMs = (probe.cpuTicks - this.#first!.cpuTicks) * TICK_MS;
    if (usedMs <= passedMs * IDLE_CPU_SHARE) return true;
    this.#begin(probe, now);
    return false;
  }

  #mayAskBlindly(now: number): boolean {
    if (now - this.#askedBlindlyAt < ASK_BLINDLY_EVERY_MS) return false;
    this.#askedBlindlyAt = now;
    return true;
  }

  #slower(): number {
    const everyMs = this.#lookEveryMs;
    this.#lookEveryMs = Math.min(everyMs * SLOWER_BY, MAX_LOOK_EVERY_MS);
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
 * Resolves when a program waits for input, to what was seen, its kind filled in; to null when `signal` aborts. The
 * program of the terminal counts too: a shell at its prompt waits. It never resolves by itself where nothing can be
 * seen.
 */
export async function untilInput(
  terminal: Omit<WatchedTerminal, 'now'>,
  signal: AbortSignal,
): Promise<InputProbe | null> {
  const watch = new InputWatch({
    now: () => performance.now(),
    outputEnd: () => terminal.outputEnd(),
    probe: () => terminal.probe(),
  });
  while (!signal.aborted) {
    const { settled, nextMs } = watch.look();
    const refined = settled === null ? null : await refine(settled);
    if (refined !== null && refined.waiting !== null && !signal.aborted) return refined;
    await pause(nextMs, signal);
  }
  return null;
}

/** Resolves after `ms`, or when `signal` aborts: most watches end so, and an error each time would cost more than they do. */
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
