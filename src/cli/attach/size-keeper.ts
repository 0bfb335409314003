/**
 * Keeps a terminal at the size of the client that typed last. Attaching alone does not change the size unless there are
 * no other subscribers. Independent of screens.
 */
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalSize } from '../../contract/terminal.js';
import { TerminalError } from '../../errors.js';

/** Focus reports (sendFocus) from the person's terminal. They do not count as typing. */
const FOCUS_REPORTS = /^(?:\x1b\[[IO])+$/;

export class SizeKeeper {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #ours: () => TerminalSize | null;
  #applied: TerminalSize;
  /** Whether this client typed last, as far as the sizes show. */
  #isHolder = false;

  /**
   * @param applied - The terminal's current size.
   * @param ours - Returns the person's own size, or null if unknown.
   */
  constructor(manager: TerminalManager, id: string, applied: TerminalSize, ours: () => TerminalSize | null) {
    this.#manager = manager;
    this.#id = id;
    this.#applied = applied;
    this.#ours = ours;
  }

  /** Applies this client's size, whichever client's size applied before. */
  async take(): Promise<void> {
    this.#isHolder = true;
    const ours = this.#ours();
    if (ours === null || isSame(ours, this.#applied)) return;
    this.#applied = ours;
    try {
      await this.#manager.resize(this.#id, ours);
    } catch (error) {
      // The program has just ended, so there is nothing left to resize.
      if (!(error instanceof TerminalError) || error.code !== 'TERMINAL_INACTIVE') throw error;
    }
  }

  /** Applies this client's size before the first key, so that output caused by the key already fits. */
  async beforeTyping(text: string): Promise<void> {
    if (!FOCUS_REPORTS.test(text)) await this.take();
  }

  /** Call when the terminal's size has changed. */
  onApplied(size: TerminalSize): void {
    const ours = this.#ours();
    if (ours === null || !isSame(size, ours)) this.#isHolder = false;
    this.#applied = size;
  }

  /** Call when the size of the person's own terminal has changed. */
  async onOurs(): Promise<void> {
    if (this.#isHolder) await this.take();
  }
}

export function isSame(one: TerminalSize, other: TerminalSize): boolean {
  return one.cols === other.cols && one.rows === other.rows;
}
