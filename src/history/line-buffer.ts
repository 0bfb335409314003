/**
 * Holds the final lines of a history, by number: when each began, its offset in the output, and its content. A line
 * either has its own text or is a span of the output.
 */

const SLAB_LINES = 1024;

class LineSlab {
  readonly starts = new Float64Array(SLAB_LINES);
  readonly times = new Float64Array(SLAB_LINES);
  /** Length of the span in the output in bytes; `OWN_TEXT` for a line with its own text. */
  readonly lengths = new Int32Array(SLAB_LINES);
  /** A line's own text, or the style that a span begins with. Created on first use. */
  texts: (string | undefined)[] | null = null;
}

/** The length of a line that is not a span. */
export const OWN_TEXT = -1;

/** A stored line: `text` is its own text or, if `length` is not null, the style that its span begins with. */
export interface StoredLine {
  readonly start: number;
  readonly time: number;
  /** Length of the span `[start, start + length)` of the output; null for a line with its own text. */
  readonly length: number | null;
  readonly text: string;
}

/** Consecutive lines, without an object for each; `i` counts from 0. Valid until lines are added or dropped. */
export interface LineRange {
  readonly count: number;
  start(i: number): number;
  time(i: number): number;
  /** Returns the length of the span in the output in bytes; `OWN_TEXT` for a line with its own text. */
  length(i: number): number;
  /** Returns the line's own text, or the style that its span begins with. */
  text(i: number): string;
}

export class LineBuffer {
  #slabs: LineSlab[] = [];
  /** Number of the first line of the first page. */
  #base = 0;
  #oldest = 0;
  #next = 0;
  #textBytes = 0;
  #spare: LineSlab | undefined;

  /** @param next - Number of the first line that will be added. */
  constructor(next = 0) {
    this.#base = next;
    this.#oldest = next;
    this.#next = next;
  }

  /** Number of the oldest line held. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Number that the next line will get, which is the number of lines there have ever been. */
  get next(): number {
    return this.#next;
  }

  /** Size of all lines held, in bytes: spans of the output and the lines' own text. */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** Adds a line that is a span of the output, beginning in `style` (an SGR sequence, or empty). */
  pushSpan(start: number, length: number, time: number, style: string): void {
    this.#push(start, length, time, style === '' ? undefined : style);
    this.#textBytes += length;
  }

  /** Adds a line with its own text, which began at or after `start` in the output. */
  pushText(start: number, time: number, text: string): void {
    this.#push(start, OWN_TEXT, time, text);
    this.#textBytes += text.length;
  }

  /** Adds a line in its stored form. */
  push({ start, time, length, text }: StoredLine): void {
    if (length === null) this.pushText(start, time, text);
    else this.pushSpan(start, length, time, text);
  }

  /** Returns the line with number `n`, which must be held. */
  at(n: number): StoredLine {
    const length = this.lengthOf(n);
    const span = length === OWN_TEXT ? null : length;
    return { start: this.startOf(n), time: this.timeOf(n), length: span, text: this.textOf(n) };
  }

  startOf(n: number): number {
    return this.#slabOf(n).starts[this.#slotOf(n)]!;
  }

  timeOf(n: number): number {
    return this.#slabOf(n).times[this.#slotOf(n)]!;
  }

  /** Returns the length of the span in bytes; `OWN_TEXT` for a line with its own text. */
  lengthOf(n: number): number {
    return this.#slabOf(n).lengths[this.#slotOf(n)]!;
  }

  /** Returns the line's own text, or the style that its span begins with. */
  textOf(n: number): string {
    return this.#slabOf(n).texts?.[this.#slotOf(n)] ?? '';
  }

  /** Returns the lines `[from, to)`, which must be held. */
  range(from: number, to: number): LineRange {
    return {
      count: to - from,
      start: (i) => this.startOf(from + i),
      time: (i) => this.timeOf(from + i),
      length: (i) => this.lengthOf(from + i),
      text: (i) => this.textOf(from + i),
    };
  }

  /** Removes and returns the newest line. */
  pop(): StoredLine {
    const line = this.at(this.#next - 1);
    this.#textBytes -= this.#sizeOf(this.#next - 1);
    this.#next--;
    return line;
  }

  /** Converts a span into a line with its own text, so that its output may be dropped. */
  keepAsText(n: number, text: string): void {
    const page = this.#slabOf(n);
    const slot = this.#slotOf(n);
    this.#textBytes += text.length - page.lengths[slot]!;
    page.lengths[slot] = OWN_TEXT;
    page.texts ??= [];
    page.texts[slot] = text;
  }

  /** Forgets the lines before number `n`. */
  dropBefore(n: number): void {
    const oldest = Math.min(n, this.#next);
    for (let line = this.#oldest; line < oldest; line++) this.#textBytes -= this.#sizeOf(line);
    this.#oldest = Math.max(this.#oldest, oldest);
    const whole = Math.floor((this.#oldest - this.#base) / SLAB_LINES);
    if (whole === 0) return;
    this.#spare = this.#slabs.splice(0, whole).at(-1);
    this.#base += whole * SLAB_LINES;
  }

  #push(start: number, length: number, time: number, text: string | undefined): void {
    const at = this.#next - this.#base;
    const slot = at % SLAB_LINES;
    const page = (this.#slabs[(at - slot) / SLAB_LINES] ??= this.#newSlab());
    page.starts[slot] = start;
    page.times[slot] = time;
    page.lengths[slot] = length;
    if (text !== undefined) (page.texts ??= [])[slot] = text;
    else if (page.texts !== null) page.texts[slot] = undefined;
    this.#next++;
  }

  /** Reuses the page dropped last, because large amounts of output drop pages as fast as they fill them. */
  #newSlab(): LineSlab {
    const page = this.#spare ?? new LineSlab();
    this.#spare = undefined;
    page.texts = null;
    return page;
  }

  #slabOf(n: number): LineSlab {
    return this.#slabs[Math.floor((n - this.#base) / SLAB_LINES)]!;
  }

  #slotOf(n: number): number {
    return (n - this.#base) % SLAB_LINES;
  }

  #sizeOf(n: number): number {
    const length = this.lengthOf(n);
    return length === OWN_TEXT ? this.textOf(n).length : length;
  }
}
