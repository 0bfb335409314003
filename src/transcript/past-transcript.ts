/**
 * Reads back the history of an ended program from disk. All of it is final, except for what was on the screen when the
 * process that held it was killed.
 */
import type { ScreenFormat, TerminalScreen, TerminalSnapshot } from '../contract/output.js';
import { MAX_ROWS } from '../contract/terminal.js';
import { Archive } from '../history/archive.js';
import type { ArchiveLimits } from '../history/archive.js';
import { RevisionTracker } from '../history/revision-tracker.js';
import type { HistoryStore, HistoryTail, UnsavedRange } from '../history/store.js';
import type { HistoryView } from '../history/view.js';
import { screenAsText, viewOf } from './view.js';

/** What remains of a history. */
export interface PastHistory {
  readonly store: HistoryStore;
  readonly tail: HistoryTail;
  /** Whether nothing follows the tail, because the program's end was recorded. */
  readonly isWhole: boolean;
}

/** A number that exceeds the revisions that readers can cause between two saves. */
const UNKNOWN_REVISIONS = 1_000_000;
/**
 * The maximum number of lines on a screen, plus one that is partly above it. Only these lines can change after they
 * have been read.
 */
const MAX_CHANGING_LINES = MAX_ROWS + 1;

export class PastTranscript {
  readonly #options: ArchiveLimits & { readonly id: string };
  readonly #archive: Archive;
  readonly #revisions: RevisionTracker;
  readonly #screen: HistoryTail['screen'];
  /** First line that readers may have seen in a state that was not recorded; null if there is none. */
  readonly #unknownFrom: number | null;
  /**
   * The first line that was on the screen and never became final; null if the end was recorded or no such line is left.
   */
  #unfinishedFrom: number | null;
  #clearedAt: number;

  constructor(options: ArchiveLimits & { readonly id: string }, { store, tail, isWhole }: PastHistory) {
    this.#options = options;
    // If no files are left, the tail says how far they reached, so that the missing part is reported as missing.
    const isGone = store.oldestLine === store.nextLine && tail.nextLine > store.nextLine;
    const from = isGone
      ? { line: tail.nextLine, offset: tail.outputEnd }
      : { line: store.nextLine, offset: store.outputEnd };
    this.#archive = new Archive(options, from);
    this.#archive.store = store;
    const { lines } = this.#archive;
    // Some of the tail's lines may have become final after the tail was saved. A tail that is ahead of the files no
    // longer fits.
    const shown = tail.nextLine <= lines.next ? tail.lines.slice(lines.next - tail.nextLine) : [];
    this.#unfinishedFrom = isWhole || shown.length === 0 ? null : lines.next;
    for (const { start, time, ansi } of shown) lines.pushText(start, time, ansi);
    this.#clearedAt = Math.min(tail.clearedAt, lines.next);
    this.#unknownFrom = isWhole ? null : Math.min(tail.nextLine, lines.next);
    this.#revisions = this.#unknownFrom === null ? new RevisionTracker(tail) : seenAtMost(tail, this.#unknownFrom);
    this.#screen = tail.screen;
  }

  get end(): number {
    return this.#archive.output.end;
  }

  get start(): number {
    return this.#archive.outputStart;
  }

  get heldBytes(): number {
    return this.#archive.heldBytes;
  }

  get title(): string {
    return this.#screen.text.title;
  }

  get size(): { cols: number; rows: number } {
    const { cols, rows } = this.#screen.text;
    return { cols, rows };
  }

  bytes(from: number, to: number): Buffer {
    return this.#archive.bytes(from, to);
  }

  /** Like `bytes`, but returns the caller's own copy. */
  copy(from: number, to: number): Uint8Array {
    return this.#archive.copy(from, to);
  }

  screen(format: ScreenFormat): TerminalScreen {
    return this.#screen[format];
  }

  snapshot(): TerminalSnapshot {
    return { ...this.size, offset: this.end, data: screenAsText(this.#screen.ansi) };
  }

  /**
   * Forgets all lines and bytes; numbers and offsets continue. The owner must empty the store, which then begins at the
   * returned position.
   */
  clear(): UnsavedRange {
    this.#archive.clear();
    this.#clearedAt = this.#archive.lines.next;
    this.#unfinishedFrom = null;
    return { line: this.#archive.lines.next, offset: this.end };
  }

  /** Returns what to save after `clear`. */
  tail(): HistoryTail {
    const next = this.#archive.lines.next;
    const { revision, changes } = this.#revisions.state;
    const ends = { nextLine: next, outputEnd: this.end, resumeAt: next, clearedAt: this.#clearedAt };
    return { ...ends, lines: [], revision, changes, screen: this.#screen };
  }

  view(): HistoryView {
    const none = { ansi: [], resumeAt: this.#archive.lines.next };
    const view = viewOf({
      ...this.#options,
      ...{ archive: this.#archive, revisions: this.#revisions, clearedAt: this.#clearedAt, active: none },
      timeOf: () => 0,
      offsetOf: () => this.end,
    });
    const mutableFrom = this.#unfinishedFrom ?? view.mutableFrom;
    return { ...view, mutableFrom, firstChangeSince: (revision, readTo) => this.#firstChangeSince(revision, readTo) };
  }

  /** In the unknown part, only lines that were on the screen when they were read can have changed. */
  #firstChangeSince(revision: number, readTo: number): number | null {
    const line = this.#revisions.firstChangeSince(revision);
    if (line === null || line !== this.#unknownFrom) return line;
    return Math.max(line, Math.min(readTo - MAX_CHANGING_LINES, this.#archive.lines.next));
  }
}

/** It is unknown what readers were shown after the tail was saved, and all of it may have been different. */
function seenAtMost({ revision, changes }: HistoryTail, line: number): RevisionTracker {
  const before = changes.filter((change) => change.line < line);
  const latest = revision + UNKNOWN_REVISIONS;
  return new RevisionTracker({ revision: latest, changes: [...before, { line, revision: latest }] });
}
