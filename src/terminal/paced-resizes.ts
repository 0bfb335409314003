/**
 * Applies the sizes requested for a terminal, and yields to other work in between: a large screen takes some tens of
 * milliseconds to resize, and a caller may request many sizes at once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalSize } from '../contract/terminal.js';
import { Turns } from '../turns.js';

/** After each resize, other work gets this many times as long, because a command needs several turns to end. */
const PAUSE_FACTOR = 4;
/** A resize during which the process was stopped may appear to have taken hours. */
const MAX_PAUSE_MS = 400;

/** When the next resize of any terminal may start. */
let nextAt = 0;
/** Number of resizes waiting for their turn. */
let waiting = 0;
const turns = new Turns();

export class PacedResizes {
  readonly #apply: (size: TerminalSize) => void;
  #next: TerminalSize | null = null;
  #applied: Promise<void> = Promise.resolve();

  constructor(apply: (size: TerminalSize) => void) {
    this.#apply = apply;
  }

  /**
   * Applies a size, immediately if there was no other resize shortly before. If several sizes are waiting, applies only
   * the last one. Resolves when this size or a later one has been applied.
   */
  add(size: TerminalSize): Promise<void> {
    const isWaiting = this.#next !== null;
    this.#next = size;
    if (!isWaiting) this.#applied = inTurn(() => this.flush());
    return this.#applied;
  }

  /** Applies the waiting size, if any. */
  flush(): void {
    const size = this.#next;
    this.#next = null;
    if (size !== null) this.#apply(size);
  }
}

async function inTurn(resize: () => void): Promise<void> {
  if (waiting === 0 && performance.now() >= nextAt) return timed(resize);
  waiting++;
  const resizeLater = async (): Promise<void> => {
    await delay(nextAt - performance.now());
    timed(resize);
  };
  return turns.take(resizeLater).finally(() => waiting--);
}

function timed(resize: () => void): void {
  const from = performance.now();
  try {
    resize();
  } finally {
    const now = performance.now();
    nextAt = now + Math.min((now - from) * PAUSE_FACTOR, MAX_PAUSE_MS);
  }
}
