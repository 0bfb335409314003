/**
 * Where a person sees a terminal: stdout. Keeps questions of programs from a person's own terminal, and leaves it
 * as it was found. What is no terminal is given the bytes as they are. It knows no program and no engine.
 */
import type { TerminalSize } from '../../contract/terminal.js';
import { print } from '../stdout.js';
import { QuestionFilter } from './questions.js';
import { SwitchedModes } from './switched-modes.js';

/** What the contract takes as a size: see MAX_COLS and MAX_ROWS there. */
const LIMITS = { cols: { min: 2, max: 1000 }, rows: { min: 1, max: 1000 } } as const;

const HOME_AND_ERASE = '\x1b[H\x1b[J';
/** The title goes to the terminal's own stack of titles, where it has one. */
const SAVE_TITLE = '\x1b[22;0t';
const RESTORE_TITLE = '\x1b[23;0t';

export class Display {
  readonly isTerminal = process.stdout.isTTY;
  #questions = new QuestionFilter();
  #modes = new SwitchedModes();
  #isOpen = false;

  /** The size of the person's terminal, within what a terminal of ours may have; null where it is not known. */
  get size(): TerminalSize | null {
    const { columns, rows } = process.stdout;
    if (!this.isTerminal || !columns || !rows) return null;
    return { cols: within(columns, LIMITS.cols), rows: within(rows, LIMITS.rows) };
  }

  /**
   * To be called first; from then on `restore` is called in any case when the process exits.
   *
   * @param title - What the window is called until the program says otherwise.
   */
  open(title?: string): void {
    if (!this.isTerminal) return;
    this.#isOpen = true;
    process.stdout.write(SAVE_TITLE + (title === undefined ? '' : `\x1b]2;${title}\x1b\\`));
    process.once('exit', () => this.restore());
  }

  async show(bytes: Uint8Array): Promise<void> {
    if (!this.isTerminal) return print(bytes);
    const shown = this.#questions.push(bytes);
    this.#modes.note(shown);
    if (shown.length > 0) await print(shown);
  }

  /** What was on the screen moves up, out of sight but not lost. */
  async makeRoom(): Promise<void> {
    await print('\n'.repeat(process.stdout.rows || 0));
  }

  /** Shows a terminal anew, from what brings a fresh one to its state. */
  async paint(data: string): Promise<void> {
    const restoration = this.#modes.restoration();
    this.#modes = new SwitchedModes();
    this.#questions = new QuestionFilter();
    await print(restoration + HOME_AND_ERASE);
    await this.show(Buffer.from(data));
  }

  /** Shows what was held back: nothing will follow. */
  async finish(): Promise<void> {
    if (this.isTerminal) await print(this.#questions.flush());
  }

  /** Leaves the person's terminal as it was. Safe to call twice. */
  restore(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.stdout.write(this.#modes.restoration() + RESTORE_TITLE);
  }
}

/** What is needed to follow a program. */
export type Shown = Pick<Display, 'size' | 'open' | 'show' | 'finish' | 'restore'>;

/** For who wants none of it while the program runs. */
export const SHOWS_NOTHING: Shown = {
  size: null,
  open: () => {},
  show: async () => {},
  finish: async () => {},
  restore: () => {},
};

function within(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.min(max, Math.max(min, value));
}
