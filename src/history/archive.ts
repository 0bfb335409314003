/**
 * Stores a history: holds the final lines and their bytes in memory within limits, and older ones in a store, if there
 * is one. Drops the oldest lines and bytes first.
 */
import { spanToAnsi, spanToText, stripSgr } from './line-text.js';
import { LineBuffer, OWN_TEXT } from './line-buffer.js';
import type { StoredLine } from './line-buffer.js';
import { OutputBuffer } from './output-buffer.js';
import type { Span } from './spans.js';
import type { HistoryStore, UnsavedRange } from './store.js';
import { tokensOf } from './tokens.js';
import { Track, type TrackState } from './track.js';

export interface ArchiveLimits {
  readonly maxLines: number;
  /** Applies to the output and, separately, to the lines. */
  readonly maxBytes: number;
}

/** Where an archive begins, and its track so far. */
export interface ArchiveStart extends UnsavedRange {
  readonly track?: TrackState | undefined;
}

/** Data that must not be dropped yet, even beyond the limits. */
export interface RetainedRange {
  /** The number of newest lines that are in use. */
  readonly lines: number;
  /** The offset where the output in use begins. */
  readonly output: number;
}

/** Output is dropped in steps of this many bytes, so that not every chunk causes a drop. */
const TRIM_STEP_BYTES = 16 << 10;
/** Size of one read ahead. */
const AHEAD_BYTES = 32 << 10;
/** Approximate maximum number of characters of lines that are read at once. */
const MAX_CHARS_AT_ONCE = 32 << 10;
/** Maximum number of cached token counts; more lines than a single estimate examines. */
const MAX_KNOWN_TOKENS = 256;

export class Archive {
  readonly output: OutputBuffer;
  readonly lines: LineBuffer;
  /** When the output was read, and the sizes of the screen. */
  readonly track: Track;
  /** Holds the lines and bytes before those in memory, as long as there is no gap between the two. */
  store: HistoryStore | null = null;
  /** Returns the range that must be saved before it may be dropped from memory, or null if there is none. */
  unsaved: (() => UnsavedRange | null) | null = null;
  readonly #limits: ArchiveLimits;
  /** All lines before this one have their own text; none of them is a span of the output. */
  #spansFrom = 0;
  /** Cached token counts of the final lines examined most recently. */
  readonly #tokens = new Map<number, number>();

  /** @param start - Where a history that began in another process continues. */
  constructor(limits: ArchiveLimits, start: ArchiveStart = { line: 0, offset: 0 }) {
    this.#limits = limits;
    this.track = new Track(start.track);
    this.output = new OutputBuffer(start.offset);
    this.lines = new LineBuffer(start.line);
  }

  /** Adds output that has just been read. */
  append(bytes: Uint8Array, now: number): void {
    this.track.read(this.output.end, now);
    this.output.append(bytes);
  }

  /** Number of the oldest line that can be read. */
  get oldestLine(): number {
    return Math.min(this.#reachable?.oldestLine ?? Infinity, this.lines.oldest);
  }

  /** Lines and bytes, after the oldest ones, that cannot be read. */
  get lost(): { readonly lines: readonly Span[]; readonly output: readonly Span[] } {
    const store = this.#reachable;
    return { lines: store?.lostLines ?? [], output: store?.lostOutput ?? [] };
  }

  /** Whether lines are held as far back as the store reaches, regardless of the limits on memory. */
  get isStored(): boolean {
    return this.#reachable !== null;
  }

  /** Offset of the oldest byte that can be read. */
  get outputStart(): number {
    return Math.min(this.#reachable?.outputStart ?? Infinity, this.output.start);
  }

  /**
   * Returns line `n`, which must be held, as stored: when it began, its offset in the output, and its span or its own
   * text.
   */
  at(n: number): StoredLine {
    return n >= this.lines.oldest ? this.lines.at(n) : this.store!.line(n);
  }

  /** Returns the bytes from `from` to `to`, limited to what is held; valid until the next change. */
  bytes(from: number, to: number): Buffer {
    const { start } = this.output;
    const older = this.#reachable;
    if (from >= start || older === null) return this.output.slice(from, to);
    const before = older.output(from, Math.min(to, start));
    return to <= start ? before : Buffer.concat([before, this.output.slice(start, to)]);
  }

  /** Like `bytes`, but returns the caller's own copy. */
  copy(from: number, to: number): Uint8Array {
    const { start } = this.output;
    return from >= start || this.#reachable === null ? this.output.copy(from, to) : this.bytes(from, to);
  }

  /** Number of bytes that lines and output use in memory. */
  get heldBytes(): number {
    return this.output.memoryBytes + this.lines.textBytes;
  }

  /** Returns line `n`, which must be held, with colours. */
  ansi(n: number): string {
    const { start, length, text } = this.at(n);
    return length === null ? text : spanToAnsi(this.bytes(start, start + length), text);
  }

  /** Returns line `n`, which must be held, as text. */
  text(n: number): string {
    const { start, length, text } = this.at(n);
    return length === null ? stripSgr(text) : spanToText(this.bytes(start, start + length));
  }

  /**
   * Returns lines from `from` to before `to`, which must be held, as text: at least one, and no more than a few reads
   * provide.
   */
  texts(from: number, to: number): string[] {
    const texts: string[] = [];
    const ahead = new ReadAheadBuffer((start, end) => this.bytes(start, end));
    for (let n = from, chars = 0; n < to && (chars < MAX_CHARS_AT_ONCE || n === from); n++) {
      const { start, length, text } = this.at(n);
      const line = length === null ? stripSgr(text) : spanToText(ahead.bytes(start, start + length));
      texts.push(line);
      chars += line.length;
    }
    return texts;
  }

  /** Returns the approximate token count of line `n`, which must be held, as text. */
  tokens(n: number): number {
    const known = this.#tokens.get(n);
    if (known !== undefined) return known;
    const tokens = tokensOf(this.text(n));
    if (this.#tokens.size >= MAX_KNOWN_TOKENS) this.#tokens.delete(this.#tokens.keys().next().value!);
    this.#tokens.set(n, tokens);
    return tokens;
  }

  /** Drops everything from memory. Numbers and offsets continue. */
  clear(): void {
    this.lines.dropBefore(this.lines.next);
    this.output.dropBefore(this.output.end);
  }

  /** Drops data beyond the limits, oldest first, but nothing that is in use. */
  trim(inUse: RetainedRange): void {
    const { maxLines, maxBytes } = this.#limits;
    const { lines } = this;
    const unsaved = this.unsaved?.() ?? null;
    const lastDroppable = Math.min(lines.next - inUse.lines, unsaved?.line ?? Infinity);
    const from = Math.min(lines.next - inUse.lines - maxLines, lastDroppable);
    if (from > lines.oldest) lines.dropBefore(from);
    while (lines.textBytes > maxBytes && lines.oldest < lastDroppable) lines.dropBefore(lines.oldest + 1);
    this.#trimOutput(Math.min(this.output.end - maxBytes, inUse.output, unsaved?.offset ?? Infinity));
  }

  /** The store, if there is no gap between it and the data in memory. */
  get #reachable(): HistoryStore | null {
    const { store, lines, output } = this;
    if (store === null || store.nextLine < lines.oldest || store.outputEnd < output.start) return null;
    return store;
  }

  /**
   * Drops output before `offset`, and the lines that are spans of it. If the output that displaced them contains no
   * lines (an endless progress bar, a full-screen program), there are few lines, which are kept as text instead.
   */
  #trimOutput(offset: number): void {
    const { lines, output } = this;
    if (offset - output.start < TRIM_STEP_BYTES) return;
    const areFew = lines.textBytes <= this.#limits.maxBytes / 2;
    let n = Math.max(lines.oldest, this.#spansFrom);
    for (; n < lines.next; n++) {
      if (lines.startOf(n) >= offset) break;
      if (!areFew) lines.dropBefore(n + 1);
      else if (lines.lengthOf(n) !== OWN_TEXT) lines.keepAsText(n, this.ansi(n));
    }
    this.#spansFrom = n;
    output.dropBefore(offset);
  }
}

/** Reads ahead: combines many small, sequential reads into few large ones. */
class ReadAheadBuffer {
  readonly #read: (from: number, to: number) => Buffer;
  #from = 0;
  #bytes: Buffer = Buffer.alloc(0);

  /**
   * @param read - Returns the bytes from one offset to another, or only the first of them. They must stay valid while
   * this buffer is in use.
   */
  constructor(read: (from: number, to: number) => Buffer) {
    this.#read = read;
  }

  /** Returns bytes in the same way as `read`. */
  bytes(from: number, to: number): Buffer {
    if (from < this.#from || to > this.#from + this.#bytes.length) {
      this.#bytes = this.#read(from, Math.max(to, from + AHEAD_BYTES));
      this.#from = from;
    }
    return this.#bytes.subarray(from - this.#from, to - this.#from);
  }
}
