/**
 * Emulates what a VT100 shows: rows, cursor, modes, title. Passes rows that leave at the top to its owner, in order, so
 * that none is lost.
 */
import type { ScreenFormat, TerminalScreen } from '../contract/output.js';
import { createEmulator } from './emulator.js';
import type { Emulator } from './emulator.js';
import type { Attributes, EmulatorLine } from './internals.js';
import { removeHiddenRows } from './narrowing.js';
import { answerQuestions } from './replies.js';
import { restorationOf } from './restoration.js';
import { dropAbove, resizeEmulator } from './resize.js';
import { PROTECTED, rowAnsi, rowEnd, rowText, styleOf, UNDERLINE } from './row.js';
import type { Style } from './style.js';
import { CharacterJoiner, withReplacements } from './character-joiner.js';
import { UnfinishedSequence } from './unfinished-sequence.js';

/** A row of the normal screen, with colours. */
export interface Row {
  readonly ansi: string;
  /** Whether it continues the previous row. */
  readonly isWrapped: boolean;
  /** Whether the next row continues it. */
  readonly continues: boolean;
}

export interface ScreenEvents {
  /** Called when a row has left the normal screen for good. */
  onRowLeft(row: Row): void;
  /** Called when the emulator replies to a query from the program (cursor position, device attributes …). */
  onReply(reply: string): void;
}

const MAX_TITLE_LENGTH = 1024;
const ERASE_BELOW = 0;
const ERASE_ALL = 2;

const CONTROL_CHARACTERS = /[\x00-\x1f\x7f-\x9f]/g;

export class Screen {
  readonly #emulator: Emulator;
  readonly #events: ScreenEvents;
  #title = '';
  #hasDefaultTabs = true;
  #rowsToDiscard = 0;
  readonly #joiner = new CharacterJoiner();
  readonly #unfinished = new UnfinishedSequence();

  constructor(cols: number, rows: number, events: ScreenEvents) {
    this.#emulator = createEmulator(cols, rows);
    this.#events = events;
    this.#catchLeavingRows();
    this.#catchErasures();
    this.#watchTabStops();
    const { terminal } = this.#emulator;
    terminal.onData((reply) => events.onReply(reply));
    answerQuestions(terminal.parser, (reply) => events.onReply(reply));
    terminal.onTitleChange((title) => {
      this.#title = title.replace(CONTROL_CHARACTERS, ' ').slice(0, MAX_TITLE_LENGTH);
    });
  }

  get cols(): number {
    return this.#emulator.terminal.cols;
  }

  get rows(): number {
    return this.#emulator.terminal.rows;
  }

  get title(): string {
    return this.#title;
  }

  /** Whether tab stops are in their initial places: at every eighth column. */
  get hasDefaultTabs(): boolean {
    return this.#hasDefaultTabs;
  }

  get applicationCursorKeys(): boolean {
    return this.#emulator.terminal.modes.applicationCursorKeysMode;
  }

  write(bytes: Uint8Array): void {
    const whole = this.#joiner.join(bytes);
    if (whole.length === 0) return;
    const { core, strings } = this.#emulator;
    core.write(withReplacements(whole));
    this.#unfinished.note(whole, core.parserState, strings.isCut);
  }

  /**
   * Writes `bytes` in the style of an SGR sequence. They must scroll off every row except the last. These rows must
   * already have been taken (`takeRows`), because they are not passed to the owner again.
   */
  writeOver(style: string, bytes: Uint8Array): void {
    this.#rowsToDiscard = this.rows - 1;
    this.#emulator.core.write(`\x1b[0m${style}`);
    this.write(bytes);
    this.#rowsToDiscard = 0;
  }

  /** Whether this state allows plain lines at all: normal screen, no margins, no unusual mode. */
  get allowsPlainLines(): boolean {
    const { core } = this.#emulator;
    const { normal, active } = core.buffers;
    return (
      active === normal &&
      normal.scrollTop === 0 &&
      normal.scrollBottom === this.rows - 1 &&
      core.privateModes.wraparound &&
      !core.privateModes.origin &&
      !core.isInserting &&
      core.charset === undefined &&
      !core.options.convertEol
    );
  }

  /** Whether the cursor is at the start of an empty last row, with no incomplete sequence or character. */
  get isAtFreshLine(): boolean {
    const { core } = this.#emulator;
    const { normal } = core.buffers;
    if (normal.x !== 0 || normal.y !== this.rows - 1) return false;
    if (core.parserState !== 0 || this.#joiner.isHolding) return false;
    if (!isPlainStyle(core.attributes)) return false;
    const line = this.#line(normal.y);
    return !line.isWrapped && line.getTrimmedLength() === 0 && this.allowsPlainLines;
  }

  /** The style of the text to be written next. */
  get style(): Style {
    const { fg, bg, extended } = this.#emulator.core.attributes;
    return styleOf(fg, bg, extended);
  }

  /** Rows of the normal screen with content: down to the last row that is not empty, or the row above the cursor. */
  visibleRows(): Row[] {
    const rows: Row[] = [];
    for (let y = 0; y < this.#usedRows(); y++) rows.push(this.#row(y));
    return rows;
  }

  /** The row that contains the normal screen's cursor. */
  get cursorRow(): number {
    return this.#emulator.core.buffers.normal.y;
  }

  /** Returns the number of lines on the normal screen down to the cursor's line, which counts if it is not empty. */
  linesToCursor(isFirstOpen: boolean): number {
    const y = this.cursorRow;
    let count = isFirstOpen && !this.#line(0).isWrapped ? 1 : 0;
    for (let row = 0; row < y; row++) if (row === 0 || !this.#line(row).isWrapped) count++;
    const line = this.#line(y);
    if (y > 0 && line.isWrapped) return count;
    return line.getTrimmedLength() > 0 ? count + 1 : count;
  }

  /** Passes the rows above the cursor to the owner as if they had left. */
  takeRows(): void {
    for (let y = 0; y < this.cursorRow; y++) this.#events.onRowLeft(this.#row(y));
  }

  resize(cols: number, rows: number): void {
    const { normal } = this.#emulator.core.buffers;
    removeHiddenRows(normal, cols, rows, (y) => this.#events.onRowLeft(this.#row(y)));
    resizeEmulator(this.#emulator, cols, rows);
    for (let y = -normal.ybase; y < 0; y++) this.#events.onRowLeft(this.#row(y));
    dropAbove(this.#emulator);
  }

  snapshot(format: ScreenFormat): Omit<TerminalScreen, 'offset'> {
    const { terminal, core } = this.#emulator;
    const { active, normal } = core.buffers;
    const render = format === 'ansi' ? rowAnsi : rowText;
    const lines = Array.from({ length: this.rows }, (_, y) => {
      const line = active.lines.get(active.ybase + y)!;
      return render(line, line.getTrimmedLength());
    });
    const { modes } = terminal;
    return {
      cols: this.cols,
      rows: this.rows,
      cursor: { x: active.x, y: active.y, visible: !core.isCursorHidden },
      title: this.#title,
      alternate: active !== normal,
      modes: {
        applicationCursorKeys: modes.applicationCursorKeysMode,
        applicationKeypad: modes.applicationKeypadMode,
        bracketedPaste: modes.bracketedPasteMode,
        insert: modes.insertMode,
        origin: modes.originMode,
        reverseWraparound: modes.reverseWraparoundMode,
        sendFocus: modes.sendFocusMode,
        synchronizedOutput: modes.synchronizedOutputMode,
        wraparound: modes.wraparoundMode,
        mouseTracking: modes.mouseTrackingMode,
      },
      lines,
    };
  }

  /**
   * Returns the data that brings a new emulator of the same size to the state of this one. `heldBack` is the number of
   * bytes written last that have had no effect yet, because they begin a sequence or character; they must be written
   * next. Not restored: synchronised output (a new subscriber must see something), links, and redefined colours.
   */
  restoration(): { data: string; heldBack: number } {
    return {
      data: restorationOf(this.#emulator, this.#title) + this.#unfinished.restarted,
      heldBack: this.#unfinished.heldBack + this.#joiner.heldLength,
    };
  }

  dispose(): void {
    this.#emulator.terminal.dispose();
  }

  #line(y: number): EmulatorLine {
    const { normal } = this.#emulator.core.buffers;
    return normal.lines.get(normal.ybase + y)!;
  }

  #usedRows(): number {
    let used = this.rows;
    while (used > this.cursorRow && this.#line(used - 1).getTrimmedLength() === 0) used--;
    return used;
  }

  #row(y: number): Row {
    const line = this.#line(y);
    const next = y + 1 < this.rows ? this.#line(y + 1) : undefined;
    const continues = next?.isWrapped ?? false;
    return { ansi: rowAnsi(line, rowEnd(line, next)), isWrapped: line.isWrapped, continues };
  }

  /** Intercepts every row that leaves at the top, by wrapping the one method that the emulator scrolls with. */
  #catchLeavingRows(): void {
    const { core } = this.#emulator;
    core.onScroll((isWrapped) => {
      const { normal, active } = core.buffers;
      if (active === normal && normal.scrollTop === 0) this.#topRowLeaves(isWrapped);
    });
  }

  #topRowLeaves(isNextWrapped: boolean): void {
    if (this.#rowsToDiscard > 0) {
      this.#rowsToDiscard--;
      return;
    }
    const row = this.#row(0);
    this.#events.onRowLeft(this.rows === 1 ? { ...row, continues: isNextWrapped } : row);
  }

  /**
   * Rows of a screen that is erased as a whole (`clear`, a full reset) have been visible, so they leave it like any
   * other rows instead of being lost.
   */
  #catchErasures(): void {
    const { parser } = this.#emulator.terminal;
    const { buffers } = this.#emulator.core;
    parser.registerCsiHandler({ final: 'J' }, (params) => {
      const isHome = buffers.active.x === 0 && buffers.active.y === 0;
      const isWhole = params[0] === ERASE_ALL || (params[0] === ERASE_BELOW && isHome);
      if (isWhole && buffers.active === buffers.normal) this.#allRowsLeave();
      return false;
    });
    parser.registerEscHandler({ final: 'c' }, () => {
      this.#allRowsLeave();
      this.#hasDefaultTabs = true;
      return false;
    });
  }

  #allRowsLeave(): void {
    for (const row of this.visibleRows()) this.#events.onRowLeft(row);
  }

  #watchTabStops(): void {
    const { parser } = this.#emulator.terminal;
    const changed = (): boolean => {
      this.#hasDefaultTabs = false;
      return false;
    };
    parser.registerEscHandler({ final: 'H' }, changed);
    parser.registerCsiHandler({ final: 'g' }, changed);
  }
}

/** Returns whether SGR sequences alone can set this style: no protection, and no underline shape without underline. */
function isPlainStyle({ fg, bg, extended }: Attributes): boolean {
  if ((bg & PROTECTED) !== 0) return false;
  return (extended.underlineStyle !== 0) === ((fg & UNDERLINE) !== 0);
}
