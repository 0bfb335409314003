/**
 * Shows a terminal on stdout. Removes the program's queries, so that they do not reach the person's own terminal, and
 * restores that terminal's state at the end. If stdout is not a terminal, passes bytes through unchanged.
 */
import type { TerminalSize } from '../../contract/terminal.js';
import { print } from '../stdout.js';
import { QueryFilter } from './query-filter.js';
import { ModeTracker } from './mode-tracker.js';

/** The sizes that the contract accepts; see MAX_COLS and MAX_ROWS there. */
const LIMITS = { cols: { min: 2, max: 1000 }, rows: { min: 1, max: 1000 } } as const;

const NO_STYLE = '\x1b[m';
const HOME_AND_ERASE = '\x1b[H\x1b[J';
/** Save and restore the title on the terminal's own title stack, if it has one. */
const SAVE_TITLE = '\x1b[22;0t';
const RESTORE_TITLE = '\x1b[23;0t';

export class Display {
  readonly isTerminal = process.stdout.isTTY;
  #queryFilter = new QueryFilter();
  #modeTracker = new ModeTracker();
  #isOpen = false;

  /** The size of the person's own terminal, limited to the supported range; null if unknown. */
  get size(): TerminalSize | null {
    const { columns, rows } = process.stdout;
    if (!this.isTerminal || !columns || !rows) return null;
    return { cols: within(columns, LIMITS.cols), rows: within(rows, LIMITS.rows) };
  }

  /**
   * Opens the display. Call this first. From then on, `restore` also runs when the process exits.
   *
   * @param title - The window title until the program sets one.
   */
  open(title?: string): void {
    if (!this.isTerminal) return;
    this.#isOpen = true;
    process.stdout.write(SAVE_TITLE + (title === undefined ? '' : `\x1b]2;${title}\x1b\\`));
    process.once('exit', () => this.restore());
  }

  async show(bytes: Uint8Array): Promise<void> {
    if (!this.isTerminal) return print(bytes);
    const shown = this.#queryFilter.push(bytes);
    this.#modeTracker.note(shown);
    if (shown.length > 0) await print(shown);
  }

  /** Scrolls the current screen contents up into the scrollback, so that they are not overwritten. */
  async makeRoom(): Promise<void> {
    await print('\n'.repeat(process.stdout.rows || 0));
  }

  /** Prints lines that are above the screen. They scroll up when the screen is painted. */
  async showAbove(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await print(lines.map((line) => `\r\n${line}${NO_STYLE}`).join(''));
  }

  /** Repaints the screen from data that reproduces a terminal's state in a new terminal. */
  async paint(data: string): Promise<void> {
    const restoration = this.#modeTracker.restoration();
    this.#modeTracker = new ModeTracker();
    this.#queryFilter = new QueryFilter();
    await print(restoration + HOME_AND_ERASE);
    await this.show(Buffer.from(data));
  }

  /** Shows the bytes that were held back. Call this when no more output will follow. */
  async finish(): Promise<void> {
    if (this.isTerminal) await print(this.#queryFilter.flush());
  }

  /** Restores the person's own terminal. Safe to call twice. */
  restore(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.stdout.write(this.#modeTracker.restoration() + RESTORE_TITLE);
  }
}

/** The part of a display that following a program requires. */
export type ProgramDisplay = Pick<Display, 'size' | 'open' | 'show' | 'finish' | 'restore'>;

/** A display that shows nothing, for callers that do not want output while the program is running. */
export const NO_DISPLAY: ProgramDisplay = {
  size: null,
  open: () => {},
  show: async () => {},
  finish: async () => {},
  restore: () => {},
};

function within(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.min(max, Math.max(min, value));
}
