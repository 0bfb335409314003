/**
 * Keeps the rows of commands up to date with markers of the emulator. The rows are exact: a command is marked when the
 * output has been drawn up to the offset where the command began or ended, or by line number in a screen just painted.
 */
import type { IDisposable, IMarker, Terminal } from '@xterm/xterm';
import type { Signal } from '@preact/signals';
import type { CommandRecord } from '../../../src/contract/command.js';
import { lineStart, rowsOf, rowsOfLines, type CommandMarks, type LinesAbove, type Mark } from './rows.js';

type Marker = Pick<Terminal, 'buffer' | 'cols' | 'registerMarker'>;

export class CommandMarker {
  readonly #terminal: Marker;
  readonly #all: Signal<readonly CommandMarks[]>;
  /** Waits for the end of a full-screen program. */
  #waiting: IDisposable | undefined;

  /** @param all - Receives the rows of all commands whose rows are known. */
  constructor(terminal: Marker, all: Signal<readonly CommandMarks[]>) {
    this.#terminal = terminal;
    this.#all = all;
  }

  /** Forgets all rows, because the screen has been replaced. */
  clear(): void {
    this.#waiting?.dispose();
    this.#all.value = [];
  }

  /** Call when exactly the output before the command has been drawn. */
  began({ commandId }: CommandRecord): void {
    const row = this.#cursorRow;
    if (row === null || this.#isKnown(commandId)) return;
    const isAtStart = this.#terminal.buffer.active.cursorX === 0 && row > 0;
    const typed = isAtStart ? lineStart(this.#isWrapped, row - 1) : row;
    // The rows of the others have been removed.
    const kept = this.#all.peek().filter(({ end }) => end === null || end.line >= 0);
    const marks = { commandId, typed: this.#mark(typed, row), begin: this.#mark(row, row), end: null };
    this.#all.value = [...kept, marks];
  }

  /** Call when exactly the output up to the end of the command has been drawn. */
  ended({ commandId }: CommandRecord): void {
    const row = this.#cursorRow;
    this.#all.value = this.#all.peek().map((each) => {
      if (each.commandId !== commandId || each.end !== null) return each;
      return { ...each, end: row === null ? GONE : this.#mark(row, row) };
    });
  }

  /**
   * Marks the commands of a screen that has just been painted below these lines; if a full-screen program hides it, when
   * it is shown again.
   */
  place(commands: readonly CommandRecord[], above: LinesAbove): void {
    const cursor = this.#cursorRow;
    if (cursor === null) return this.#placeLater(commands, above);
    const { from, lines } = above;
    const { baseY, length } = this.#terminal.buffer.normal;
    const rows = rowsOfLines(this.#isWrapped, { row: baseY, line: from + lines.length }, length - 1);
    const markOf = (row: number): Mark | null => (row < 0 ? null : this.#mark(row, cursor));
    this.#all.value = commands.flatMap((command) => {
      const found = rowsOf(command, rows, from, this.#isWrapped);
      if (found === null) return [];
      const { typed, begin, end } = found;
      return [
        {
          commandId: command.commandId,
          typed: markOf(typed),
          begin: markOf(begin),
          end: end === null ? null : markOf(end),
        },
      ];
    });
  }

  #placeLater(commands: readonly CommandRecord[], above: LinesAbove): void {
    const { buffer, cols } = this.#terminal;
    this.#waiting = buffer.onBufferChange(() => {
      this.#waiting?.dispose();
      // In another width, the rows of the hidden screen are others.
      if (this.#terminal.cols === cols) this.place(commands, above);
    });
  }

  /** The cursor's row, or null while a full-screen program is shown, whose rows are not kept. */
  get #cursorRow(): number | null {
    const { active } = this.#terminal.buffer;
    return active.type === 'normal' ? active.baseY + active.cursorY : null;
  }

  #isKnown(commandId: number): boolean {
    return this.#all.peek().some((each) => each.commandId === commandId);
  }

  readonly #isWrapped = (row: number): boolean => this.#terminal.buffer.normal.getLine(row)?.isWrapped ?? false;

  #mark(row: number, cursorRow: number): IMarker {
    return this.#terminal.registerMarker(row - cursorRow);
  }
}

/** Stands for a row that cannot be marked. */
const GONE: Mark = { line: -1 };
