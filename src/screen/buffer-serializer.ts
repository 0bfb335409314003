/**
 * Converts the rows of one screen to text and sequences that draw the same cells, with the same line wrapping, on an
 * empty screen of the same size.
 */
import type { EmulatorBuffer, EmulatorLine } from './internals.js';
import { isUntouched, kindOf, penOf, samePen, textOf, widthOf } from './cells.js';
import { NOTHING_BEFORE, printed } from './joining.js';
import { changePen, DEFAULT_PEN } from './pen.js';
import type { Pen } from './pen.js';

const WIDE_SPACE = '\u3000';
/** The cursor position is unknown. */
const UNKNOWN = -1;
/** Characters with higher code points do not have the same width in all emulators. */
const LAST_ALIKE_EVERYWHERE = 0xffff;

/** How a row becomes the continuation of the previous row. */
type Wrap = 'none' | 'by text' | 'by wide text' | 'by force';

export class BufferSerializer {
  readonly #buffer: EmulatorBuffer;
  readonly #cols: number;
  readonly #rows: number;
  #output = '';
  #x = 0;
  #y = 0;
  #pen: Pen = DEFAULT_PEN;
  #joining = NOTHING_BEFORE;
  readonly #wraps: Wrap[];
  /** Columns of the current row with leftover content that must be drawn over. */
  #dirty = new Set<number>();

  /** Assumes that the target screen is empty, with its cursor in the upper left corner and the default style. */
  constructor(buffer: EmulatorBuffer, cols: number, rows: number) {
    this.#buffer = buffer;
    this.#cols = cols;
    this.#rows = rows;
    this.#wraps = Array.from({ length: rows }, (_, y) => this.#wrapOf(y));
  }

  serialize(): string {
    this.#wrapByForce();
    for (let y = 0; y < this.#rows; y++) this.#paintRow(y);
    this.#usePen(DEFAULT_PEN);
    return this.#output;
  }

  #line(y: number): EmulatorLine {
    return this.#buffer.lines.get(this.#buffer.ybase + y)!;
  }

  #wrapOf(y: number): Wrap {
    const line = this.#line(y);
    if (!line.isWrapped) return 'none';
    if (y === 0 || kindOf(line, 0) !== 'text' || hasOddCells(line, this.#cols)) return 'by force';
    const above = this.#line(y - 1);
    const last = this.#cols - 1;
    if (hasOddCells(above, last)) return 'by force';
    const lastKind = kindOf(above, last);
    if (lastKind === 'empty' || lastKind === 'remains') {
      return widthOf(line, 0) === 2 && samePen(penOf(above, last), penOf(line, 0)) ? 'by wide text' : 'by force';
    }
    if (lastKind === 'orphan') return 'by force';
    const lead = kindOf(above, last) === 'rest' ? last - 1 : last;
    const before = printed(textOf(above, lead), NOTHING_BEFORE);
    if (lead + before.columns !== this.#cols) return 'by force';
    return printed(textOf(line, 0), before.after).joins ? 'by force' : 'by text';
  }

  /** Prints spaces where lines must wrap; they are drawn over later. */
  #wrapByForce(): void {
    const last = this.#cols - 1;
    if (this.#wraps[0] === 'by force' && this.#rows > 1) {
      this.#moveTo(last, 0);
      this.#print('  ');
      this.#y = UNKNOWN;
      this.#moveTo(0, 0);
      // Removes the upper row, so that the row that continues it becomes the first.
      this.#control('\x1b[M');
    }
    for (let y = 1; y < this.#rows; y++) {
      if (this.#wraps[y] !== 'by force') continue;
      this.#moveTo(last, y - 1);
      this.#print('  ');
      this.#y = UNKNOWN;
    }
  }

  #paintRow(y: number): void {
    const line = this.#line(y);
    this.#dirty.clear();
    if (this.#wraps[y] === 'by force') this.#dirty.add(0);
    if (this.#wraps[y + 1] === 'by force') this.#dirty.add(this.#cols - 1);
    if (this.#wraps[y] === 'by wide text') this.#moveTo(this.#cols - 1, y - 1);
    const end = this.#wraps[y + 1] === 'by wide text' ? this.#cols - 1 : this.#cols;
    if (hasOddCells(line, end)) {
      this.#leaveOrphans(line, y);
      this.#leaveRemains(line, y, end);
    }
    for (let x = 0; x < end;) x = this.#paintFrom(line, x, y, end);
  }

  /** Draws what begins in this column; returns the column after it. */
  #paintFrom(line: EmulatorLine, x: number, y: number, end: number): number {
    const kind = kindOf(line, x);
    if (kind === 'text') {
      this.#paintText(line, x, y);
      return x + 1;
    }
    if (kind !== 'empty' || (isUntouched(line, x) && !this.#dirty.has(x))) return x + 1;
    const pen = penOf(line, x);
    let to = x + 1;
    while (to < end && kindOf(line, to) === 'empty' && penOf(line, to).bg === pen.bg) to++;
    this.#moveTo(x, y);
    this.#usePen(pen);
    this.#control(to === x + 1 ? '\x1b[X' : `\x1b[${to - x}X`);
    return to;
  }

  #paintText(line: EmulatorLine, x: number, y: number): void {
    const text = textOf(line, x);
    const isContinued = x === 0 && (this.#wraps[y] === 'by text' || this.#wraps[y] === 'by wide text');
    if (!isContinued) this.#moveTo(x, y);
    this.#usePen(penOf(line, x));
    if (printed(text, this.#joining).joins) this.#control(`\x1b[${x + 1}G`);
    this.#print(text);
    if (isContinued) {
      this.#x = widthOf(line, 0);
      this.#y = y;
    }
    // Other emulators may use a different width for combined or newer characters, so the cursor is positioned
    // explicitly.
    if (text.codePointAt(0)! > LAST_ALIKE_EVERYWHERE || text.length > 1) this.#y = UNKNOWN;
  }

  /**
   * Inserting in the middle of a wide character leaves a half without the other. Reproduces such halves on the empty
   * row, from right to left.
   */
  #leaveOrphans(line: EmulatorLine, y: number): void {
    const orphans = columnsOf(line, 'orphan').filter((column) => column > 0);
    if (orphans.length === 0) return;
    const shift = orphans[0] === 1 ? 1 : 0;
    for (let i = orphans.length - 1; i >= 0; i--) {
      const count = i === 0 ? orphans[0]! - 1 + shift : orphans[i]! - orphans[i - 1]!;
      this.#moveTo(0, y);
      this.#usePen(penOf(line, orphans[i]!));
      this.#print(WIDE_SPACE);
      this.#moveTo(1, y);
      this.#usePen(DEFAULT_PEN);
      this.#control(`\x1b[${count}@`);
    }
    if (shift === 0) return;
    this.#moveTo(0, y);
    this.#control('\x1b[P');
  }

  /** Overwriting half of a wide character leaves empty cells with a style. Reproduces these cells. */
  #leaveRemains(line: EmulatorLine, y: number, end: number): void {
    const last = this.#cols - 1;
    const remains = columnsOf(line, 'remains').filter((column) => column < end);
    if (remains.at(-1) === last) {
      this.#overwrite(last - 1, penOf(line, last), last - 1, y);
      remains.pop();
    }
    for (const column of remains) this.#overwrite(column, penOf(line, column), column + 1, y);
  }

  /** Prints a wide character in column `x`, then overwrites one of its halves. */
  #overwrite(x: number, pen: Pen, half: number, y: number): void {
    this.#usePen(pen);
    this.#moveTo(x, y);
    this.#print(WIDE_SPACE);
    this.#moveTo(half, y);
    this.#print(' ');
    this.#dirty.add(half);
  }

  #moveTo(x: number, y: number): void {
    if (this.#x === x && this.#y === y) return;
    this.#control(this.#y === y ? `\x1b[${x + 1}G` : `\x1b[${y + 1};${x + 1}H`);
    this.#x = x;
    this.#y = y;
  }

  #usePen(pen: Pen): void {
    if (samePen(pen, this.#pen)) return;
    this.#control(changePen(this.#pen, pen));
    this.#pen = pen;
  }

  #print(text: string): void {
    const { after, columns } = printed(text, this.#joining);
    this.#output += text;
    this.#joining = after;
    this.#x += columns;
  }

  #control(sequence: string): void {
    this.#output += sequence;
    this.#joining = NOTHING_BEFORE;
  }
}

function columnsOf(line: EmulatorLine, kind: 'orphan' | 'remains'): number[] {
  return Array.from({ length: line.length }, (_, column) => column).filter((column) => kindOf(line, column) === kind);
}

function hasOddCells(line: EmulatorLine, end: number): boolean {
  for (let column = 0; column < end; column++) {
    const kind = kindOf(line, column);
    if (kind === 'orphan' || kind === 'remains') return true;
  }
  return false;
}
