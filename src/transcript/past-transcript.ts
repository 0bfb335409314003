/**
 * The history of a program that is gone, read back from disk: all of it is final, but for what was on the screen when the
 * process that held it was killed. It knows no terminal.
 */
import type { TerminalScreen, TerminalSnapshot } from '../contract/output.js';
import { MAX_ROWS } from '../contract/terminal.js';
import { Archive } from '../history/archive.js';
import type { ArchiveLimits } from '../history/archive.js';
import { Seen } from '../history/seen.js';
import type { HistoryStore, HistoryTail, Unsaved } from '../history/store.js';
import type { HistoryView } from '../history/view.js';
import { screenAsText, viewOf } from './view.js';

/** What is left of a history. */
export interface PastHistory {
  readonly store: HistoryStore;
  readonly tail: HistoryTail;
  /** Whether nothing came after the tail: the program's end was seen. */
  readonly isWhole: boolean;
}

/** More looks than anyone can take between two saves. */
const UNKNOWN_LOOKS = 1_000_000;
/** Lines on a screen, at most, and one that is partly above it: only those can change after they were read. */
const MAX_CHANGING_LINES = MAX_ROWS + 1;

export class PastTranscript {
  readonly #options: ArchiveLimits & { readonly id: string };
  readonly #archive: Archive;
  readonly #seen: Seen;
  readonly #screen: HistoryTail['screen'];
  /** From this line on it is not known what readers were shown; null where all is known. */
  readonly #unknownFrom: number | null;
  /** The first of the lines that were on the screen and never became final; null where the end was seen, or none is left. */
  #unfinishedFrom: number | null;
  #clearedAt: number;

  constructor(options: ArchiveLimits & { readonly id: string }, { store, tail, isWhole }: PastHistory) {
    this.#options = options;
    // Where nothing is left of the files, the tail tells where they were, so that what is gone is not denied.
    const isGone = store.oldestLine === store.nextLine && tail.nextLine > store.nextLine;
    const from = isGone
      ? { line: tail.nextLine, offset: tail.outputEnd }
      : { line: store.nextLine, offset: store.outputEnd };
    this.#archive = new Archive(options, from);
    this.#archive.store = store;
    const { lines } = this.#archive;
    // Some of the tail's lines may have become final after it was taken; a tail from beyond fits no more.
    const shown = tail.nextLine <= lines.next ? tail.lines.slice(lines.next - tail.nextLine) : [];
    this.#unfinishedFrom = isWhole || shown.length === 0 ? null : lines.next;
    for (const { start, time, ansi } of shown) lines.pushText(start, time, ansi);
    this.#clearedAt = Math.min(tail.clearedAt, lines.next);
    this.#unknownFrom = isWhole ? null : Math.min(tail.nextLine, lines.next);
    this.#seen = this.#unknownFrom === null ? new Seen(tail) : seenAtMost(tail, this.#unknownFrom);
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

  /** The same as the caller's own. */
  copy(from: number, to: number): Uint8Array {
    return this.#archive.copy(from, to);
  }

  screen(format: 'text' | 'ansi'): TerminalScreen {
    return this.#screen[format];
  }

  snapshot(): TerminalSnapshot {
    return { ...this.size, offset: this.end, data: screenAsText(this.#screen.ansi) };
  }

  /** Forgets all lines and bytes; numbers and offsets stay. The store is the owner's to empty: from where is told. */
  clear(): Unsaved {
    this.#archive.clear();
    this.#clearedAt = this.#archive.lines.next;
    this.#unfinishedFrom = null;
    return { line: this.#archive.lines.next, offset: this.end };
  }

  /** What is to be saved after `clear`. */
  tail(): HistoryTail {
    const next = this.#archive.lines.next;
    const { revision, changes } = this.#seen.state;
    const ends = { nextLine: next, outputEnd: this.end, resumeAt: next, clearedAt: this.#clearedAt };
    return { ...ends, lines: [], revision, changes, screen: this.#screen };
  }

  view(): HistoryView {
    const none = { ansi: [], resumeAt: this.#archive.lines.next };
    const view = viewOf({
      ...this.#options,
      ...{ archive: this.#archive, seen: this.#seen, clearedAt: this.#clearedAt, active: none },
      timeOf: () => 0,
      offsetOf: () => this.end,
    });
    const mutableFrom = this.#unfinishedFrom ?? view.mutableFrom;
    return { ...view, mutableFrom, firstChangeSince: (revision, readTo) => this.#firstChangeSince(revision, readTo) };
  }

  /** Of what is not known, only that can have changed which was on the screen when it was read. */
  #firstChangeSince(revision: number, readTo: number): number | null {
    const line = this.#seen.firstChangeSince(revision);
    if (line === null || line !== this.#unknownFrom) return line;
    return Math.max(line, Math.min(readTo - MAX_CHANGING_LINES, this.#archive.lines.next));
  }
}

/** What readers were shown after the tail was taken is not known: any of it may have been something else. */
function seenAtMost({ revision, changes }: HistoryTail, line: number): Seen {
  const before = changes.filter((change) => change.line < line);
  const latest = revision + UNKNOWN_LOOKS;
  return new Seen({ revision: latest, changes: [...before, { line, revision: latest }] });
}
