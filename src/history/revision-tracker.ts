/** Tracks what readers have been shown of the lines that are not final, and which lines have changed since. */
import { ChangeLog } from './changes.js';
import type { LineChange } from './changes.js';
import { stripSgr } from './line-text.js';

/** The complete state, for a hand-off. */
export interface RevisionState {
  readonly revision: number;
  readonly changes: readonly LineChange[];
  readonly shown?: { readonly first: number; readonly texts: readonly string[] };
}

export class RevisionTracker {
  #changes: ChangeLog;
  #revision: number;
  /** The lines that were not final when last shown. */
  #shown: { readonly first: number; readonly texts: readonly string[] };

  constructor({ revision, changes, shown = { first: 0, texts: [] } }: RevisionState = { revision: 0, changes: [] }) {
    this.#revision = revision;
    this.#changes = new ChangeLog(changes);
    this.#shown = shown;
  }

  get state(): Required<RevisionState> {
    return { revision: this.#revision, changes: this.#changes.all, shown: this.#shown };
  }

  /** Increases each time something is shown. */
  get revision(): number {
    return this.#revision;
  }

  /** Shows all lines that are not final, starting at number `first`. */
  show(first: number, ansi: readonly string[]): void {
    this.#revision++;
    const texts = ansi.map(stripSgr);
    const shownEnd = this.#shownEnd;
    for (let n = Math.max(first, this.#shown.first); n < Math.min(first + texts.length, shownEnd); n++) {
      if (texts[n - first] !== this.#shown.texts[n - this.#shown.first]) this.#changes.note(n, this.#revision);
    }
    if (first + texts.length < shownEnd) this.#changes.note(first + texts.length, this.#revision);
    this.#shown = { first, texts };
  }

  /** Records that line `n` has become final with this content. */
  close(n: number, ansi: string): void {
    const text = this.#shown.texts[n - this.#shown.first];
    if (text !== undefined && text !== stripSgr(ansi)) this.#noteChange(n);
  }

  /** Records that what was shown starting at line `n` was replaced by final lines that were not compared with it. */
  replace(n: number): void {
    if (n < this.#shownEnd) this.#noteChange(n);
  }

  /** Records that everything is final; the next line will be number `next`. */
  finish(next: number): void {
    this.#shown = { first: next, texts: [] };
  }

  /** Returns the first line that changed after `revision`, or null. */
  firstChangeSince(revision: number): number | null {
    return this.#changes.firstSince(revision);
  }

  dropBefore(line: number): void {
    this.#changes.dropBefore(line);
  }

  get #shownEnd(): number {
    return this.#shown.first + this.#shown.texts.length;
  }

  #noteChange(line: number): void {
    this.#changes.note(line, this.#revision + 1);
  }
}
