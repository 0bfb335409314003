/**
 * Remembers which lines changed after they had been read: asked with the revision a reader last saw, it
 * names the first line that reader must read again. It knows neither lines' texts nor readers.
 */

/** More than any screen has rows; older changes are then told from the oldest kept on. */
const MAX_CHANGES = 4096;

export interface Change {
  readonly line: number;
  readonly revision: number;
}

export class Changes {
  /** In ascending order of both line and revision: a later change of an earlier line covers the rest. */
  #changes: Change[];

  /** @param changes - What `all` gave. */
  constructor(changes: readonly Change[] = []) {
    this.#changes = [...changes];
  }

  /** All that is known, to go on with elsewhere. */
  get all(): readonly Change[] {
    return this.#changes;
  }

  /** Notes that line `line`, and possibly every later one, is not what it was before `revision`. */
  note(line: number, revision: number): void {
    while (this.#changes.length > 0 && this.#changes.at(-1)!.line >= line) this.#changes.pop();
    this.#changes.push({ line, revision });
    if (this.#changes.length > MAX_CHANGES) this.#mergeOldest();
  }

  /** The first line that changed after `revision`, or null. */
  firstSince(revision: number): number | null {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#changes[middle]!.revision > revision) high = middle;
      else low = middle + 1;
    }
    return this.#changes[low]?.line ?? null;
  }

  /** Forgets changes of lines before `line`, which no one can read any more. */
  dropBefore(line: number): void {
    const keep = this.#changes.findIndex((change) => change.line >= line);
    if (keep !== 0) this.#changes.splice(0, keep === -1 ? this.#changes.length : keep);
  }

  /** Makes one of the two oldest: the earlier line with the later revision says more than is so, never less. */
  #mergeOldest(): void {
    const [first, second] = this.#changes.splice(0, 2);
    this.#changes.unshift({ line: first!.line, revision: second!.revision });
  }
}
