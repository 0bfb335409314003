/**
 * Turns a program's output into bytes at offsets, numbered lines and a screen.
 *
 * Most output consists of runs of plain lines, whose appearance can be computed without the emulator. A run goes
 * straight into the lines, as spans of the output. Only when the run ends or a reader reads is the emulator brought up
 * to date with the last screenful; nothing before that can affect the screen. Output that is not plain goes through the
 * emulator, whose rows become lines as they leave the screen.
 */
import type { ScreenFormat, TerminalScreen, TerminalSnapshot } from '../contract/output.js';
import { Archive, type ArchiveLimits } from '../history/archive.js';
import type { LineBuffer } from '../history/line-buffer.js';
import { nextBatch, type BatchLimits } from '../history/next-batch.js';
import type { OutputBuffer } from '../history/output-buffer.js';
import type { HistoryBatch, HistoryStore, HistoryTail, UnsavedRange } from '../history/store.js';
import type { HistoryView } from '../history/view.js';
import { startOf, type TranscriptHandOff } from './transcript-hand-off.js';
import { screenAsText, viewOf, type ActiveLines } from './view.js';
import { PlainRunScanner } from '../history/plain-run.js';
import { RevisionTracker } from '../history/revision-tracker.js';
import { Screen } from '../screen/screen.js';
import { UnfinishedLines } from './unfinished-lines.js';

export interface TranscriptOptions extends ArchiveLimits {
  /** Distinguishes this history from others, so that none accepts a cursor of another. */
  readonly id: string;
  readonly cols: number;
  readonly rows: number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Called when the emulator replies to a query from the program. */
  onReply(reply: string): void;
}

const LF = 0x0a;
/** Maximum number of lines given to the emulator between two checks for the start of a plain run. */
const MAX_PIECE_LINES = 64;
/** After a shorter run, which costs more than it saves, the next attempt comes later. */
const WORTHWHILE_RUN_LINES = 16;

export class Transcript {
  readonly #options: TranscriptOptions;
  readonly #archive: Archive;
  readonly #output: OutputBuffer;
  readonly #lines: LineBuffer;
  /** What readers have been shown. Code that renders output again sets this to what they were shown before. */
  revisions = new RevisionTracker();
  readonly #run = new PlainRunScanner();
  #screen: Screen | null;
  #finalScreen: { text: TerminalScreen; ansi: TerminalScreen } | null = null;
  #chunkStart = 0;
  readonly #open: UnfinishedLines;
  /** The current run; its lines wait in `#runLines` until they have scrolled everything before them off the screen. */
  #isInRun = false;
  #runStart = 0;
  #runLines: { start: number; length: number; time: number; style: string }[] = [];
  #hasTakenScreen = false;
  /** When the unfinished line began; null if there is none. */
  #openLineTime: number | null = null;
  #runLineCount = 0;
  #pieceLines = 1;
  /** Whether the emulator must process the next output, because of how the last run ended. */
  #mustEmulate = false;

  /** The lines that are not final; null if they must be reassembled. */
  #active: ActiveLines | null = { ansi: [], resumeAt: 0 };
  #clearedAt = 0;

  /** @param handed - The `handOver` result of another transcript, to continue it here. */
  constructor(options: TranscriptOptions, handed?: TranscriptHandOff) {
    this.#options = options;
    this.#archive = new Archive(options, handed && startOf(handed));
    this.#output = this.#archive.output;
    this.#lines = this.#archive.lines;
    this.#open = new UnfinishedLines(this.#lines, () => this.revisions);
    let isTakingOver = handed !== undefined;
    const screen = new Screen(options.cols, options.rows, {
      onRowLeft: (row) => isTakingOver || this.#open.rowLeft(row),
      onReply: (reply) => isTakingOver || options.onReply(reply),
    });
    this.#screen = screen;
    if (handed) this.#takeOver(handed, screen);
    isTakingOver = false;
  }

  #takeOver(handed: TranscriptHandOff, screen: Screen): void {
    const { output, lines, heldBack } = handed;
    this.#output.append(output);
    for (const line of lines) this.#lines.push(line);
    screen.write(Buffer.from(handed.screen));
    screen.write(output.subarray(output.length - heldBack));
    this.#open.text = handed.openText;
    this.#open.beginnings = handed.beginnings;
    [this.#clearedAt, this.revisions] = [handed.clearedAt, new RevisionTracker(handed.seen)];
    this.#open.pieceStart = this.#output.end;
    this.#active = null;
  }

  /** Returns all the state that a hand-off needs. Call when nothing more will be appended. */
  handOver(): TranscriptHandOff {
    const { data, heldBack } = (this.view(), this.#screen!.restoration());
    const { oldest, next } = this.#lines;
    return {
      ...{ firstLine: oldest, lines: Array.from({ length: next - oldest }, (_, i) => this.#lines.at(oldest + i)) },
      ...{ outputStart: this.#output.start, output: this.#output.slice(this.#output.start, this.#output.end) },
      ...{ screen: data, heldBack, openText: this.#open.text, beginnings: this.#open.beginnings },
      ...{ clearedAt: this.#clearedAt, seen: this.revisions.state, track: this.#archive.track.state },
    };
  }

  /** Number of bytes processed so far. */
  get end(): number {
    return this.#output.end;
  }

  /** Offset of the oldest byte that can be read. */
  get start(): number {
    return this.#archive.outputStart;
  }

  /** The store of the part that is not in memory. */
  set store(store: HistoryStore | null) {
    this.#archive.store = store;
  }

  /** Returns the range that must be saved before it may be dropped from memory. */
  set unsaved(unsaved: (() => UnsavedRange | null) | null) {
    this.#archive.unsaved = unsaved;
  }

  /** Where the data in memory begins: the oldest line, and the first byte that belongs to no earlier line. */
  get inMemoryFrom(): UnsavedRange {
    const { oldest, next } = this.#lines;
    const { start } = this.#output;
    return { line: oldest, offset: oldest < next ? Math.max(start, this.#lines.startOf(oldest)) : start };
  }

  /** Returns whether memory holds everything after that point. */
  isHeldFrom({ line, offset }: UnsavedRange): boolean {
    return this.#lines.oldest <= line && this.#output.start <= offset;
  }

  /** Number of bytes held in memory for lines and output. */
  get heldBytes(): number {
    return this.#archive.heldBytes;
  }

  get applicationCursorKeys(): boolean {
    this.#settle();
    return this.#screen?.applicationCursorKeys ?? false;
  }

  get title(): string {
    return this.#screen?.title ?? this.#finalScreen?.text.title ?? '';
  }

  get size(): { cols: number; rows: number } {
    const { cols, rows } = this.#screen ?? this.#finalScreen!.text;
    return { cols, rows };
  }

  /** Processes the bytes that the program wrote. The caller may reuse `bytes` afterwards. */
  append(bytes: Uint8Array): void {
    if (this.#screen === null || bytes.length === 0) return;
    this.#open.now = this.#options.now();
    this.#chunkStart = this.#output.end;
    this.#active = null;
    this.#archive.append(bytes, this.#open.now);
    let at = 0;
    while (at < bytes.length) at = this.#isInRun ? this.#continueRun(bytes, at) : this.#emulate(bytes, at);
    this.trim();
  }

  /**
   * Drops data beyond the limits from memory. The saver also calls it, because data waiting for the disk is kept.
   */
  trim(): void {
    const rows = this.#isInRun ? this.#screen!.rows : 0;
    this.#archive.trim({ lines: rows, output: this.#neededFrom() });
    this.revisions.dropBefore(this.#archive.oldestLine);
  }

  /** Returns the bytes from `from` to `to`, limited to what is held; valid until the next `append`. */
  bytes(from: number, to: number): Buffer {
    return this.#archive.bytes(from, to);
  }

  /** Like `bytes`, but returns the caller's own copy. */
  copy(from: number, to: number): Uint8Array {
    return this.#archive.copy(from, to);
  }

  /**
   * Returns the final data starting at `from`, up to `limits`; null if there is none. Its bytes stay valid as long as
   * `unsaved` covers them.
   */
  batch(from: UnsavedRange, limits: BatchLimits): HistoryBatch | null {
    return nextBatch(this.#archive, from, this.#finalEnd(), limits);
  }

  /** Returns the part that is not final, in its current state. */
  tail(): HistoryTail {
    const { resumeAt, ansi } = (this.view(), this.#active!);
    const { revision, changes } = this.revisions.state;
    const lines = ansi.map((line, i) => {
      const { start, time } = this.#open.beginnings[i] ?? { start: this.#output.end, time: this.#open.now };
      return { start, time, ansi: line };
    });
    return {
      nextLine: this.#lines.next,
      outputEnd: this.#output.end,
      lines,
      resumeAt,
      ...{ revision, changes },
      clearedAt: this.#clearedAt,
      screen: { text: this.screen('text'), ansi: this.screen('ansi') },
    };
  }

  resize(cols: number, rows: number): void {
    if (this.#screen === null) return;
    this.#settle();
    this.#open.now = this.#options.now();
    this.#active = null;
    this.#archive.track.resized({ offset: this.#output.end, time: this.#open.now, cols, rows }, this.size);
    this.#screen.resize(cols, rows);
  }

  screen(format: ScreenFormat): TerminalScreen {
    this.#settle();
    if (this.#screen === null) return this.#finalScreen![format];
    return { ...this.#screen.snapshot(format), offset: this.#output.end };
  }

  /** Returns what a new subscriber needs in order to interpret the output that follows. */
  snapshot(): TerminalSnapshot {
    this.#settle();
    const { cols, rows } = this.size;
    if (this.#screen === null) return { cols, rows, offset: this.end, data: screenAsText(this.#finalScreen!.ansi) };
    const { data, heldBack } = this.#screen.restoration();
    return { cols, rows, offset: this.end - heldBack, data };
  }

  /** Forgets everything held so far, except for the line with the cursor. Numbers and offsets continue. */
  clear(): void {
    this.view();
    this.#archive.clear();
    this.#clearedAt = this.#active!.resumeAt;
  }

  /** Call when no more output will follow. Makes every line final and releases the emulator. */
  finish(): void {
    if (this.#screen === null) return;
    this.view();
    this.#finalScreen = { text: this.screen('text'), ansi: this.screen('ansi') };
    const { ansi } = this.#active!;
    for (const line of ansi) this.#open.close(line);
    this.#screen.dispose();
    this.#screen = null;
    this.#active = { ansi: [], resumeAt: this.#lines.next };
    this.revisions.finish(this.#lines.next);
  }

  /** Returns the history as readers see it now; valid until the next `append`, `resize` or `clear`. */
  view(): HistoryView {
    if (this.#active === null) this.#updateActive();
    return viewOf({
      ...{ id: this.#options.id, maxLines: this.#options.maxLines, clearedAt: this.#clearedAt },
      ...{ archive: this.#archive, revisions: this.revisions, active: this.#active! },
      timeOf: (n) => this.#open.beginnings[n]?.time ?? this.#open.now,
      offsetOf: (n) => this.#open.beginnings[n]?.start ?? this.#output.end,
    });
  }

  #beginRun(offset: number): void {
    this.#isInRun = true;
    this.#hasTakenScreen = false;
    this.#openLineTime = null;
    this.#runStart = offset;
    this.#runLineCount = 0;
    this.#open.keep(this.#open.toCursor(this.#screen!));
    this.#run.begin(offset, this.#screen!.cols, this.#screen!.hasDefaultTabs, this.#screen!.style);
  }

  #continueRun(bytes: Uint8Array, from: number): number {
    const stoppedAt = this.#run.scan(bytes, from, this.#chunkStart);
    this.#keepFoundLines(stoppedAt === bytes.length && this.#run.lineStart === this.#output.end);
    if (this.#run.isOver) {
      this.#endRun(this.#chunkStart + stoppedAt);
      this.#mustEmulate = true;
      if (this.#runLineCount >= WORTHWHILE_RUN_LINES) this.#pieceLines = 1;
    }
    return stoppedAt;
  }

  #keepFoundLines(isAtLineStart: boolean): void {
    const { count, starts, lengths, styles } = this.#run.found;
    this.#runLineCount += count;
    let time = this.#openLineTime ?? this.#open.now;
    for (let i = 0; i < count; i++) {
      const start = starts[i]!;
      const length = lengths[i]!;
      if (this.#hasTakenScreen) this.#lines.pushSpan(start, length, time, styles[i]!);
      else this.#runLines.push({ start, length, time, style: styles[i]! });
      time = this.#open.now;
      if (!this.#hasTakenScreen && this.#runLines.length > this.#screen!.rows) this.#takeScreen();
    }
    this.#openLineTime = isAtLineStart ? null : time;
  }

  /** Makes the rows final that were on the screen before the run, which has scrolled them all off. */
  #takeScreen(): void {
    this.#screen!.takeRows();
    this.#open.beginnings = [];
    this.#hasTakenScreen = true;
    this.revisions.replace(this.#lines.next);
    for (const { start, length, time, style } of this.#runLines) this.#lines.pushSpan(start, length, time, style);
    this.#runLines = [];
  }

  /** Ends the run: brings the emulator up to date with the output up to `until`. */
  #endRun(until: number): void {
    this.#isInRun = false;
    if (!this.#hasTakenScreen) {
      this.#open.begin(...this.#runLines.map(({ start, time }) => ({ start, time })));
      this.#runLines = [];
      this.#open.pieceStart = this.#run.lineStart;
      this.#screen!.write(this.#output.slice(this.#runStart, until));
    } else this.#showTail(until);
    if (this.#openLineTime !== null) this.#open.begin({ start: this.#run.lineStart, time: this.#openLineTime });
    this.#open.match(this.#screen!);
  }

  /** Moves the last `rows` lines of the run back from the lines to the screen, which shows nothing else. */
  #showTail(until: number): void {
    const tail = Array.from({ length: this.#screen!.rows }, () => this.#lines.pop()).reverse();
    this.#open.beginnings = tail.map(({ start, time }) => ({ start, time }));
    const first = tail[0]!;
    this.#open.pieceStart = this.#run.lineStart;
    this.#screen!.writeOver(first.text, this.#output.slice(first.start, until));
  }

  /** Brings the emulator up to date with all output. */
  #settle(): void {
    if (!this.#isInRun) return;
    this.#endRun(this.#output.end);
    this.#pieceLines = 1;
  }

  #emulate(bytes: Uint8Array, from: number): number {
    const screen = this.#screen!;
    if (!this.#mustEmulate && screen.isAtFreshLine) {
      this.#beginRun(this.#chunkStart + from);
      return from;
    }
    this.#mustEmulate = false;
    this.#open.pieceStart = this.#chunkStart + from;
    const to = screen.allowsPlainLines ? this.#endOfPiece(bytes, from) : bytes.length;
    screen.write(bytes.subarray(from, to));
    this.#open.match(screen);
    // Take more lines each time, so that output that never becomes plain is hardly slowed down.
    this.#pieceLines = Math.min(this.#pieceLines * 2, MAX_PIECE_LINES);
    return to;
  }

  /**
   * Returns the offset after the number of lines in a piece, or after the last line if there are fewer; if no line ends
   * in the chunk, the end of the chunk.
   */
  #endOfPiece(bytes: Uint8Array, from: number): number {
    let end = from;
    for (let lines = 0; lines < this.#pieceLines; lines++) {
      const next = bytes.indexOf(LF, end) + 1;
      if (next === 0) break;
      end = next;
    }
    return end === from ? bytes.length : end;
  }

  /** Assembles the lines on the screen and records which of the lines shown before have changed. */
  #updateActive(): void {
    this.#settle();
    this.#active = this.#screen === null ? { ansi: [], resumeAt: this.#lines.next } : this.#open.shown(this.#screen);
    const { ansi } = this.#active;
    this.revisions.show(this.#lines.next, ansi);
    this.#open.keep(ansi.length);
  }

  /** Returns the number after the last line that is certainly final: the last lines of a run may still come back. */
  #finalEnd(): number {
    const isLent = this.#isInRun && this.#hasTakenScreen;
    return isLent ? Math.max(this.#lines.next - this.#screen!.rows, this.#lines.oldest) : this.#lines.next;
  }

  /** Returns the start of the output that the current run may still have to show again. */
  #neededFrom(): number {
    if (!this.#isInRun) return this.#output.end;
    if (!this.#hasTakenScreen) return this.#runStart;
    return this.#lines.startOf(Math.max(this.#lines.next - this.#screen!.rows, this.#lines.oldest));
  }
}
