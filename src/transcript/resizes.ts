/**
 * When a terminal's size was changed, in terms of its output, for those who follow that output at a pace of
 * their own. It knows no screen.
 */

export interface Resize {
  /** 1 for the first resize of the terminal, and so on. */
  readonly number: number;
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
}

/** Of a window dragged to another size only the last steps matter to who is behind. */
const MAX_KEPT = 100;

export class Resizes {
  #kept: Resize[] = [];
  #count = 0;

  add(offset: number, cols: number, rows: number): void {
    this.#kept.push({ number: ++this.#count, offset, cols, rows });
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
  }

  /**
   * Number of the last resize that who follows the output from `offset` on need not be told; of the last of all if
   * that is undefined. Of several just there only the last one counts: the others were over before any output.
   */
  before(offset: number | undefined): number {
    if (offset === undefined) return this.#count;
    const next =
      this.#kept.findLast((resize) => resize.offset === offset) ?? this.#kept.find((resize) => resize.offset > offset);
    return next === undefined ? this.#count : next.number - 1;
  }

  /** The first kept resize after number `number`, or null. */
  after(number: number): Resize | null {
    if (number >= this.#count) return null;
    return this.#kept.find((resize) => resize.number > number) ?? null;
  }
}
