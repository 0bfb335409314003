/**
 * Applies the sizes requested for a terminal, and yields to other work in between: a large screen takes tens of
 * milliseconds to resize, and a caller may request many sizes at once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalSize } from '../contract/terminal.js';
import { Turns } from '../turns.js';

/**
 * After each resize, other work gets this many times as long as it took, because a command needs several turns to end.
 */
const PAUSE_FACTOR = 4;
/** A resize during which the process was stopped may appear to have taken hours. */
const MAX_PAUSE_MS = 400;

/** State shared by the terminals that take turns. */
export class ResizePace {
  readonly turns = new Turns();
  /** When the next resize of any terminal may start. */
  nextAt = 0;
  /** Number of resizes waiting for their turn. */
  waiting = 0;
}

const allTerminals = new ResizePace();

export class PacedResizes {
  readonly #apply: (size: TerminalSize) => void;
  readonly #pace: ResizePace;
  #next: TerminalSize | null = null;
  #applied: Promise<void> = Promise.resolve();

  /** @param pace - Shared by the terminals that take turns with this one. Default: all terminals. */
  constructor(apply: (size: TerminalSize) => void, pace = allTerminals) {
    this.#apply = apply;
    this.#pace = pace;
  }

  /**
   * Applies a size, immediately if there was no other resize shortly before. If several sizes are waiting, applies only
   * the last one. Resolves when this size or a later one has been applied.
   */
  add(size: TerminalSize): Promise<void> {
    const isWaiting = this.#next !== null;
    this.#next = size;
    if (!isWaiting) this.#applied = inTurn(this.#pace, () => this.flush());
    return this.#applied;
  }

  /** Applies the waiting size, if any. */
  flush(): void {
    const size = this.#next;
    this.#next = null;
    if (size !== null) this.#apply(size);
  }
}

async function inTurn(pace: ResizePace, resize: () => void): Promise<void> {
  if (pace.waiting === 0 && performance.now() >= pace.nextAt) return timed(pace, resize);
  pace.waiting++;
  const resizeLater = async (): Promise<void> => {
    await delay(pace.nextAt - performance.now());
    timed(pace, resize);
  };
  return pace.turns.take(resizeLater).finally(() => pace.waiting--);
}

function timed(pace: ResizePace, resize: () => void): void {
  const from = performance.now();
  try {
    resize();
  } finally {
    const now = performance.now();
    pace.nextAt = now + Math.min((now - from) * PAUSE_FACTOR, MAX_PAUSE_MS);
  }
}
