/**
 * Tracks the lines that are not final: those on the screen, and the one whose beginning has scrolled off. Turns rows
 * that leave the screen into lines.
 */
import type { LineBuffer } from '../history/line-buffer.js';
import type { RevisionTracker } from '../history/revision-tracker.js';
import type { Row, Screen } from '../screen/screen.js';
import type { ActiveLines } from './view.js';

/** A line without an end is split here, so that an endless line cannot use up all memory. */
const MAX_LINE_CHARS = 64 << 10;

/** When a line that is not final began, and its earliest possible offset in the output. */
export interface LineStart {
  readonly start: number;
  readonly time: number;
}

export class UnfinishedLines {
  readonly #lines: LineBuffer;
  readonly #revisions: () => RevisionTracker;
  /** Rows that have left the screen and belong to a line that continues there. */
  text: string | null = null;
  /** Where each line began, in order. */
  #beginnings: LineStart[] = [];
  /** Offset of the last data passed to the emulator; a line that is new on its screen began there or later. */
  pieceStart = 0;
  /** When output was last processed. */
  now = 0;

  /** @param lines - Receives the lines that become final. */
  constructor(lines: LineBuffer, seen: () => RevisionTracker) {
    this.#lines = lines;
    this.#revisions = seen;
  }

  get beginnings(): readonly LineStart[] {
    return this.#beginnings;
  }

  set beginnings(beginnings: readonly LineStart[]) {
    this.#beginnings = [...beginnings];
  }

  /** Call when more lines have begun. */
  begin(...beginnings: readonly LineStart[]): void {
    this.#beginnings.push(...beginnings);
  }

  /** Limits the number of lines. */
  keep(count: number): void {
    this.#beginnings.length = Math.min(this.#beginnings.length, count);
  }

  rowLeft(row: Row): void {
    if (this.text !== null && !row.isWrapped) this.close(this.text);
    this.text = row.isWrapped && this.text !== null ? this.text + row.ansi : row.ansi;
    if (row.continues && this.text.length < MAX_LINE_CHARS) return;
    this.close(this.text);
  }

  /** Call when the first of the lines has become final. */
  close(ansi: string): void {
    this.text = null;
    this.#revisions().close(this.#lines.next, ansi);
    const { start, time } = this.#beginnings.shift() ?? this.#newest;
    this.#lines.pushText(start, time, ansi);
  }

  /** Updates the beginnings: each line that is new on the screen began in the last piece of output at the earliest. */
  match(screen: Screen): void {
    const count = this.toCursor(screen);
    while (this.#beginnings.length < count) this.#beginnings.push(this.#newest);
  }

  get #newest(): LineStart {
    return { start: this.pieceStart, time: this.now };
  }

  /** Returns the number of lines down to the one with the cursor. */
  toCursor(screen: Screen): number {
    return screen.linesToCursor(this.text !== null);
  }

  /** Returns the text of the lines. */
  shown(screen: Screen): ActiveLines {
    const { cursorRow } = screen;
    const ansi: string[] = this.text === null ? [] : [this.text];
    let isOpen = this.text !== null;
    let cursorLine = ansi.length;
    screen.visibleRows().forEach((row, y) => {
      // Split an overlong line as it will be split when it leaves the screen, so that its parts stay where they were
      // shown.
      if (row.isWrapped && isOpen && ansi.at(-1)!.length < MAX_LINE_CHARS) ansi.push(ansi.pop()! + row.ansi);
      else ansi.push(row.ansi);
      isOpen = true;
      if (y <= cursorRow) cursorLine = y === cursorRow ? ansi.length - 1 : ansi.length;
    });
    return { ansi, resumeAt: this.#lines.next + Math.min(cursorLine, ansi.length) };
  }
}
