/**
 * Remembers which lines changed after they had been read. Given the revision that a reader last saw, returns the first
 * line that the reader must read again.
 */

/** More than the rows of any screen. Beyond it, older changes are reported as starting at the oldest change kept. */
const MAX_CHANGES = 4096;

export interface LineChange {
  readonly line: number;
  readonly revision: number;
}

export class ChangeLog {
  /**
   * In ascending order of both line and revision: a later change to an earlier line covers all changes after that line.
   */
  #changes: LineChange[];

  /** @param changes - The `all` of an earlier instance. */
  constructor(changes: readonly LineChange[] = []) {
    this.#changes = [...changes];
  }

  /** The complete state, for a hand-off. */
  get all(): readonly LineChange[] {
    return this.#changes;
  }

  /** Records that line `line`, and possibly every later line, differs from what it was before `revision`. */
  note(line: number, revision: number): void {
    while (this.#changes.length > 0 && this.#changes.at(-1)!.line >= line) this.#changes.pop();
    this.#changes.push({ line, revision });
    if (this.#changes.length > MAX_CHANGES) this.#mergeOldest();
  }

  /** Returns the first line that changed after `revision`, or null. */
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

  /** Forgets changes of lines before `line`, which can no longer be read. */
  dropBefore(line: number): void {
    const keep = this.#changes.findIndex((change) => change.line >= line);
    if (keep !== 0) this.#changes.splice(0, keep === -1 ? this.#changes.length : keep);
  }

  /**
   * Merges the two oldest changes: the earlier line with the later revision may report too much, but never too little.
   */
  #mergeOldest(): void {
    const [first, second] = this.#changes.splice(0, 2);
    this.#changes.unshift({ line: first!.line, revision: second!.revision });
  }
}
