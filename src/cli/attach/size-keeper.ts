/**
 * Whose size a terminal has: that of whoever typed last. Nobody takes it by coming, but where nobody else
 * watches. It knows no screen.
 */
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalSize } from '../../contract/terminal.js';
import { TerminalError } from '../../errors.js';

/** Told by a terminal that its window was chosen or left (sendFocus): nobody has typed. */
const FOCUS_REPORTS = /^(?:\x1b\[[IO])+$/;

export class SizeKeeper {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #ours: () => TerminalSize | null;
  #applied: TerminalSize;
  /** Whether it was us who typed last, as far as sizes tell. */
  #isHolder = false;

  /**
   * @param applied - The size the terminal has.
   * @param ours - Gives the person's own size, or null where it is not known.
   */
  constructor(manager: TerminalManager, id: string, applied: TerminalSize, ours: () => TerminalSize | null) {
    this.#manager = manager;
    this.#id = id;
    this.#applied = applied;
    this.#ours = ours;
  }

  /** Makes our size count, whoever's did. */
  async take(): Promise<void> {
    this.#isHolder = true;
    const ours = this.#ours();
    if (ours === null || isSame(ours, this.#applied)) return;
    this.#applied = ours;
    try {
      await this.#manager.resize(this.#id, ours);
    } catch (error) {
      // The program has just ended: there is nothing left to fit.
      if (!(error instanceof TerminalError) || error.code !== 'TERMINAL_INACTIVE') throw error;
    }
  }

  /** Our size is there before the first key, so that what the key brings about fits already. */
  async beforeTyping(text: string): Promise<void> {
    if (!FOCUS_REPORTS.test(text)) await this.take();
  }

  /** The terminal has this size now. */
  onApplied(size: TerminalSize): void {
    const ours = this.#ours();
    if (ours === null || !isSame(size, ours)) this.#isHolder = false;
    this.#applied = size;
  }

  /** The person's own terminal has another size now. */
  async onOurs(): Promise<void> {
    if (this.#isHolder) await this.take();
  }
}

export function isSame(one: TerminalSize, other: TerminalSize): boolean {
  return one.cols === other.cols && one.rows === other.rows;
}
