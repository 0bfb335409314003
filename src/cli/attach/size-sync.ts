/**
 * Keeps a terminal at the size of the client that typed last. Attaching alone changes the size only if there are no
 * other subscribers.
 */
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalSize } from '../../contract/terminal.js';
import { TerminalError, type ErrorCode } from '../../errors.js';

/** Matches focus reports (sendFocus) from the person's own terminal, which do not count as typing. */
const FOCUS_REPORTS = /^(?:\x1b\[[IO])+$/;

/**
 * Errors that are ignored: the program has just ended, or another caller holds the terminal and determines its size.
 */
const NOT_NOW: readonly ErrorCode[] = ['TERMINAL_INACTIVE', 'TERMINAL_HELD'];

export class SizeSync {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #ownSize: () => TerminalSize | null;
  #applied: TerminalSize;
  /** Whether this client typed last, as far as the changes of the terminal's size show. */
  #hasTypedLast = false;

  /**
   * @param applied - The terminal's current size.
   * @param ours - Returns the size of the person's own terminal, or null if unknown.
   */
  constructor(manager: TerminalManager, id: string, applied: TerminalSize, ours: () => TerminalSize | null) {
    this.#manager = manager;
    this.#id = id;
    this.#applied = applied;
    this.#ownSize = ours;
  }

  /** Applies this client's size, no matter which client set the current size. */
  async applyOwn(): Promise<void> {
    this.#hasTypedLast = true;
    const ours = this.#ownSize();
    if (ours === null || isSame(ours, this.#applied)) return;
    const before = this.#applied;
    this.#applied = ours;
    try {
      await this.#manager.resize(this.#id, ours);
    } catch (error) {
      if (!(error instanceof TerminalError) || !NOT_NOW.includes(error.code)) throw error;
      this.#applied = before;
    }
  }

  /** Applies this client's size before text is typed, so that output that the text causes already fits. */
  async beforeTyping(text: string): Promise<void> {
    if (!FOCUS_REPORTS.test(text)) await this.applyOwn();
  }

  /** Call this when the terminal's size has changed. */
  onApplied(size: TerminalSize): void {
    const ours = this.#ownSize();
    if (ours === null || !isSame(size, ours)) this.#hasTypedLast = false;
    this.#applied = size;
  }

  /** Call this when the size of the person's own terminal has changed. */
  async onOwnResize(): Promise<void> {
    if (this.#hasTypedLast) await this.applyOwn();
  }
}

export function isSame(one: TerminalSize, other: TerminalSize): boolean {
  return one.cols === other.cols && one.rows === other.rows;
}
