/**
 * Records what happened to a terminal, such as a resize, and at what offset of its output, for readers that follow the
 * output at their own pace.
 */

export interface OffsetMark<What> {
  /** 1 for the first mark of the terminal, and so on. */
  readonly number: number;
  readonly offset: number;
  readonly what: What;
}

/** Enough: when a window is resized by dragging, only the last steps matter to a slow reader. */
const MAX_KEPT = 200;

export class OffsetMarks<What> {
  #kept: OffsetMark<What>[] = [];
  #count = 0;

  add(offset: number, what: What): void {
    this.#kept.push({ number: ++this.#count, offset, what });
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
  }

  /**
   * Returns the number of the last mark that need not be reported to a reader that starts at `offset`; if `offset` is
   * undefined, the number of the last mark. Marks at exactly that offset are reported.
   */
  before(offset: number | undefined): number {
    const next = offset === undefined ? undefined : this.#kept.find((mark) => mark.offset >= offset);
    return next === undefined ? this.#count : next.number - 1;
  }

  /** Like `before`, except that only the last of several marks at exactly that offset is reported. */
  beforeLast(offset: number | undefined): number {
    const last = this.#kept.findLast((mark) => mark.offset === offset);
    return last === undefined ? this.before(offset) : last.number - 1;
  }

  /** Returns the first kept mark after number `number`, or null. */
  after(number: number): OffsetMark<What> | null {
    if (number >= this.#count) return null;
    return this.#kept.find((mark) => mark.number > number) ?? null;
  }
}
