/**
 * Reports new terminal output to all hooks. All hooks share one wait per terminal, so the number of waits depends only
 * on the number of watched terminals. Limits the number of concurrent searches.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { abortable } from '../abortable.js';
import type { WaitResult } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import { MAX_WAIT_MS } from '../contract/output.js';
import { limitReached } from '../errors.js';
import { OVER } from '../wait/time-limit.js';
import { Slots } from './slots.js';

const ANY_OUTPUT = '(?s).';
/** Delay between the first new output and its report, so that steady output is searched in few pieces. */
const GATHER_MS = 50;
/** Maximum number of concurrent searches, across all hooks. */
const MAX_SEARCHES = 4;

/** News about the output of a terminal. */
export interface News {
  readonly end: number;
  /** Whether no more output can follow. */
  readonly isOver: boolean;
}

interface SharedWait {
  readonly from: number;
  readonly news: Promise<News>;
  readonly abandoned: AbortController;
  callers: number;
}

export class OutputNews {
  readonly #manager: TerminalManager;
  readonly #maxWaits: number;
  /** Waits by terminal. */
  readonly #waits = new Map<string, SharedWait>();
  readonly #searches = new Slots(MAX_SEARCHES);

  /** @param maxWaits - Maximum number of terminals that are awaited at the same time: the share of one caller. */
  constructor(manager: TerminalManager, maxWaits: number) {
    this.#manager = manager;
    this.#maxWaits = maxWaits;
  }

  /** Resolves to the offset where the output currently ends. */
  async endOf(id: string, signal: AbortSignal): Promise<number> {
    return (await this.#manager.wait(id, { timeoutMs: 0 }, { signal })).offset;
  }

  /**
   * Resolves when a terminal has printed something after `end` or no more output can follow. Resolves to null when
   * `signal` aborts.
   *
   * @throws `LIMIT_REACHED` if too many terminals are already being awaited; the errors of `TerminalManager.wait`.
   */
  async after(id: string, end: number, signal: AbortSignal): Promise<News | null> {
    if (signal.aborted) return null;
    const wait = this.#waits.get(id) ?? this.#begin(id, end);
    if (end < wait.from) return { end: wait.from, isOver: false };
    wait.callers++;
    try {
      return await abortable(wait.news, signal);
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      wait.callers--;
      if (wait.callers === 0) {
        this.#end(id, wait);
        wait.abandoned.abort(OVER);
      }
    }
  }

  /** Searches the existing output. Before the next search starts, other work gets as much time as this one took. */
  async find(id: string, regex: string, fromOffset: number, signal: AbortSignal): Promise<WaitResult> {
    const release = await this.#searches.take(signal);
    const began = performance.now();
    const search = this.#manager.wait(id, { regex, fromOffset, timeoutMs: 0 }, { signal });
    return search.finally(() => setTimeout(release, performance.now() - began).unref());
  }

  #begin(id: string, from: number): SharedWait {
    const what = 'Hooks watch the output of too many terminals';
    if (this.#waits.size >= this.#maxWaits) throw limitReached('TENACITTY_MAX_WAITING_READS', this.#maxWaits, what);
    const abandoned = new AbortController();
    const news = this.#next(id, from, abandoned.signal).finally(() => this.#end(id, wait));
    const wait: SharedWait = { from, news, abandoned, callers: 0 };
    this.#waits.set(id, wait);
    return wait;
  }

  /** Ends a shared wait; the next caller starts another one. */
  #end(id: string, wait: SharedWait): void {
    if (this.#waits.get(id) === wait) this.#waits.delete(id);
  }

  async #next(id: string, from: number, signal: AbortSignal): Promise<News> {
    const wanted = { regex: ANY_OUTPUT, fromOffset: from, timeoutMs: MAX_WAIT_MS };
    let reason = 'timeout';
    while (reason === 'timeout' && !signal.aborted) ({ reason } = await this.#manager.wait(id, wanted, { signal }));
    if (reason === 'exit' || signal.aborted) return { end: from, isOver: reason === 'exit' };
    await delay(GATHER_MS, undefined, { signal, ref: false }).catch(() => undefined);
    return { end: await this.endOf(id, signal), isOver: false };
  }
}
