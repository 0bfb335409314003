/**
 * When a terminal's size changed, relative to its output, for readers that follow the output at their own pace. Does
 * not depend on screens.
 */

export interface Resize {
  /** 1 for the first resize of the terminal, and so on. */
  readonly number: number;
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
}

/** When a window is dragged to another size, only the last steps matter to a slow reader. */
const MAX_KEPT = 100;

export class Resizes {
  #kept: Resize[] = [];
  #count = 0;

  add(offset: number, cols: number, rows: number): void {
    this.#kept.push({ number: ++this.#count, offset, cols, rows });
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
  }

  /**
   * Returns the number of the last resize that a reader starting at `offset` need not be told; of the last one if that
   * is undefined. Of several at exactly that offset only the last one counts: no output came between them.
   */
  before(offset: number | undefined): number {
    if (offset === undefined) return this.#count;
    const next =
      this.#kept.findLast((resize) => resize.offset === offset) ?? this.#kept.find((resize) => resize.offset > offset);
    return next === undefined ? this.#count : next.number - 1;
  }

  /** Returns the first kept resize after number `number`, or null. */
  after(number: number): Resize | null {
    if (number >= this.#count) return null;
    return this.#kept.find((resize) => resize.number > number) ?? null;
  }
}
