/** Follows a terminal's track along its output, one page at a time. */
import type { TerminalManager } from '../contract/manager.js';
import type { TrackedSize, TrackPage } from '../contract/recording.js';

export class Timeline {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #to: number;
  #page: TrackPage;
  #point = 0;
  #sizes: TrackedSize[];

  /** @param page - The page of the track where the output begins. */
  constructor(manager: TerminalManager, id: string, page: TrackPage, to: number) {
    this.#manager = manager;
    this.#id = id;
    this.#to = to;
    this.#page = page;
    this.#sizes = page.sizes.slice(1);
  }

  /** When the output at the current offset was written. */
  get time(): number {
    return this.#page.points[this.#point]![1];
  }

  /** Where the next output was written at another time, or on a screen of another size. */
  get nextOffset(): number {
    const { points, nextOffset } = this.#page;
    return Math.min(points[this.#point + 1]?.[0] ?? nextOffset ?? Infinity, this.#sizes[0]?.offset ?? Infinity);
  }

  /** Advances to an offset. */
  async moveTo(offset: number): Promise<void> {
    while (this.#page.nextOffset !== null && offset >= this.#page.nextOffset) await this.#turnPage();
    const { points } = this.#page;
    while (this.#point + 1 < points.length && points[this.#point + 1]![0] <= offset) this.#point++;
  }

  /** Returns the sizes that the screen has received up to an offset, and forgets them. */
  sizesUpTo(offset: number): TrackedSize[] {
    const next = this.#sizes.findIndex((size) => size.offset > offset);
    return this.#sizes.splice(0, next === -1 ? this.#sizes.length : next);
  }

  async #turnPage(): Promise<void> {
    const { nextOffset, sizes } = this.#page;
    this.#page = await this.#manager.track(this.#id, { fromOffset: nextOffset!, toOffset: this.#to });
    this.#point = 0;
    // The page begins with the size that applies there, which is known already if it began earlier.
    const [first, ...rest] = this.#page.sizes;
    const isNew = first !== undefined && first.offset > (sizes.at(-1)?.offset ?? -1);
    this.#sizes.push(...(isNew ? [first] : []), ...rest);
  }
}
