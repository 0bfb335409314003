/**
 * Stores one terminal's history on disk, as segments in a directory of their own. Appends at one end and drops whole
 * segments at the other, within limits.
 *
 * An `append` is all or nothing, even on a failing disk. This also holds for readers: appended data appears only once
 * all of it has been written. Nothing is synced (fsync), so nothing that was appended is lost if the process dies, but
 * the newest part may be lost if the machine loses power.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { TerminalError } from '../errors.js';
import type { StoredLine } from '../history/line-buffer.js';
import { skipLost, nextLost, clipSpans, type Span } from '../history/spans.js';
import type { HistoryBatch, HistoryStore } from '../history/store.js';
import { partsOf, type SegmentPart, type BatchTarget } from './batch-parts.js';
import { forgetLines } from './decoded-lines.js';
import { Deletions } from './deletions.js';
import { lostLinesOf, lostOutputOf } from './lost-ranges.js';
import { isGone } from './read-descriptors.js';
import { Segment } from './segment.js';
import { findSegments, segmentFiles, type ChecksumScope } from './segment-scan.js';
import { SegmentWriter } from './segment-writer.js';
import { copyForWriting, releaseCopy } from './staging.js';

export interface FileLimits {
  /** Maximum size on disk in bytes; exceeded by at most a segment and the batch being written. */
  readonly maxBytes: number;
  /** Approximate size of a segment; default: a sixteenth of `maxBytes`, from 256 KiB to 8 MiB. */
  readonly segmentBytes?: number;
}

const MIN_SEGMENT_BYTES = 256 << 10;
const MAX_SEGMENT_BYTES = 8 << 20;
const SEGMENTS = 16;
const DIRECTORY_MODE = 0o700;

export class HistoryFiles implements HistoryStore {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #segmentBytes: number;
  readonly #writer = new SegmentWriter();
  /** Oldest first; the last one is written to. */
  #segments: Segment[] = [];
  #oldestLine = 0;
  #nextLine = 0;
  #outputEnd = 0;
  #isAppending = false;
  #isClosed = false;
  /** Whether the last segment's files may contain more than is recorded for it. */
  #isTailTorn = false;
  /** Files that no longer belong to the history. Nothing is appended while one of them still exists. */
  readonly #deletions = new Deletions();
  /** Incremented when the segment that is being appended to is gone. */
  #epoch = 0;

  private constructor(directory: string, { maxBytes, segmentBytes }: FileLimits) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    const share = Math.min(Math.max(maxBytes / SEGMENTS, MIN_SEGMENT_BYTES), MAX_SEGMENT_BYTES);
    this.#segmentBytes = segmentBytes ?? share;
  }

  /**
   * Begins a history in `directory`, which is created (0700) if it does not exist.
   *
   * @param from - Number of the first line and offset of the first byte; default 0 and 0.
   * @throws the file system error if the directory cannot be created; Error if it already contains a history.
   */
  static create(directory: string, limits: FileLimits, from = { line: 0, offset: 0 }): HistoryFiles {
    mkdirSync(directory, { recursive: true, mode: DIRECTORY_MODE });
    if (segmentFiles(directory).length > 0) throw new Error(`${directory} already contains a history`);
    const files = new HistoryFiles(directory, limits);
    files.#beginAt(from.line, from.offset);
    return files;
  }

  /**
   * Reads a history back. Cuts off torn data at the end; reports data that is damaged elsewhere as lost. Returns an
   * empty history that begins at 0 if there is none.
   *
   * @param checks - Whether to read and verify all output, or only the newest part, which a crash may truncate.
   * Default: all.
   * @throws the file system error if the directory exists but cannot be read.
   */
  static open(directory: string, limits: FileLimits, checks: ChecksumScope = 'all'): HistoryFiles {
    const files = new HistoryFiles(directory, limits);
    const { segments, rest, isTailTorn } = findSegments(directory, checks);
    files.#segments = segments;
    files.#nextLine = segments.at(-1)?.nextLine ?? 0;
    files.#outputEnd = segments.at(-1)?.outputEnd ?? 0;
    files.#isTailTorn = isTailTorn && !segments.at(-1)!.isDamaged;
    // Other files may have existed earlier under the same names.
    files.release();
    files.#settleOldestLine();
    files.#deletions.delete(rest);
    if (files.#isTailTorn) files.#cutTail();
    return files;
  }

  get oldestLine(): number {
    return this.#oldestLine;
  }

  get nextLine(): number {
    return this.#nextLine;
  }

  get outputStart(): number {
    const [oldest] = this.#segments;
    return oldest === undefined ? this.#outputEnd : skipLost(this.lostOutput, oldest.offset);
  }

  get outputEnd(): number {
    return this.#outputEnd;
  }

  get lostLines(): readonly Span[] {
    return clipSpans(lostLinesOf(this.#segments, this.#nextLine), this.#oldestLine, this.#nextLine);
  }

  get lostOutput(): readonly Span[] {
    return lostOutputOf(this.#segments, this.#outputEnd);
  }

  /**
   * Extends the history to this line and offset, which it once reached, and counts everything that is missing before
   * them as lost. Nothing may be appended afterwards.
   */
  reachTo(line: number, offset: number): void {
    if (this.#segments.length === 0) return;
    this.#nextLine = Math.max(this.#nextLine, line);
    this.#outputEnd = Math.max(this.#outputEnd, offset);
    this.#settleOldestLine();
  }

  /** Size on disk in bytes. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Time of the first line of the oldest segment, or of the write if its bytes contained no lines; null if there is no
   * segment.
   */
  get oldestSegmentTime(): number | null {
    return this.#segments[0]?.time ?? null;
  }

  /**
   * Returns line `n`.
   *
   * @throws `READ_FAILED` if it cannot be read from the disk. If files are missing or damaged, the history held then
   * begins after them, and the next read reports this. The same applies to `output`.
   */
  line(n: number): StoredLine {
    const segment = this.#segments.findLast(({ firstLine }) => firstLine <= n);
    if (segment === undefined || n < this.#oldestLine || n >= this.#nextLine) {
      throw new TerminalError('READ_FAILED', `Line ${n} is no longer held`, { line: n });
    }
    return this.#reading(segment, () => segment.line(n));
  }

  output(from: number, to: number): Buffer {
    const first = Math.max(from, this.outputStart);
    const lost = this.lostOutput;
    const last = Math.min(to, this.#outputEnd, nextLost(lost, first));
    if (first >= last || skipLost(lost, first) > first) return Buffer.alloc(0);
    const bytes = Buffer.allocUnsafe(last - first);
    for (const segment of this.#segments.filter(({ offset, outputEnd }) => offset < last && outputEnd > first)) {
      const start = Math.max(first, segment.offset);
      const end = Math.min(last, segment.outputEnd);
      this.#reading(segment, () => segment.readOutput(start, end, bytes, start - first));
    }
    return bytes;
  }

  /**
   * Appends a batch that continues at `nextLine` and `outputEnd`; drops the oldest data if the limit would be exceeded.
   * Only one call at a time.
   *
   * @throws the file system error if the disk does not accept the batch. In that case, nothing has changed, and the
   * same batch, or a longer one from the same position, can be appended later. Error if the batch does not continue
   * here, or after `close`.
   */
  async append(batch: HistoryBatch): Promise<void> {
    this.#checkIsNext(batch);
    this.#isAppending = true;
    const output = copyForWriting(batch.output);
    try {
      this.#makeReady();
      await this.#appendParts(partsOf(batch, output, this.#target()));
    } finally {
      releaseCopy(output);
      this.#isAppending = false;
      if (this.#isClosed) this.release();
    }
  }

  /** Removes the oldest segment unless it is the last one. Returns the bytes freed, or 0. */
  dropOldest(): number {
    const [oldest] = this.#segments;
    if (oldest === undefined || this.#segments.length === 1) return 0;
    this.#forgetUpTo(oldest);
    return oldest.bytes;
  }

  /** Discards everything; the empty history continues from line `line` and offset `offset`. */
  restart(line: number, offset: number): void {
    const last = this.#segments.at(-1);
    if (last !== undefined) this.#forgetUpTo(last);
    this.#beginAt(line, offset);
  }

  /**
   * Continues from line `line` and offset `offset`: keeps the data held so far, and counts the data in between as lost.
   */
  skipTo(line: number, offset: number): void {
    this.#beginAt(line, offset);
    this.#settleOldestLine();
  }

  /** Closes all descriptors until they are needed again. */
  release(): void {
    if (!this.#isAppending) this.#writer.release();
    for (const segment of this.#segments) segment.release();
    this.#forgetLines();
  }

  /** Closes the files, so that nothing more can be appended. Held data can still be read. Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    this.release();
  }

  /** Deletes the directory with all its contents. Returns whether that succeeded. */
  remove(): boolean {
    this.close();
    this.#epoch++;
    this.#segments = [];
    this.#oldestLine = this.#nextLine;
    try {
      rmSync(this.#directory, { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  }

  #checkIsNext({ fromLine, fromOffset }: HistoryBatch): void {
    if (this.#isClosed) throw new Error('The history is closed');
    if (this.#isAppending) throw new Error('Another append to the history is in progress');
    if (fromLine === this.#nextLine && fromOffset === this.#outputEnd) return;
    const where = `line ${this.#nextLine} and offset ${this.#outputEnd}`;
    throw new Error(
      `The history continues at ${where}, but the batch begins at line ${fromLine} and offset ${fromOffset}`,
    );
  }

  /** Cleans up after an earlier failure or a change by another program. */
  #makeReady(): void {
    this.#deletions.finish();
    const last = this.#segments.at(-1);
    if (last === undefined) return;
    if (!this.#writer.isThere(last)) this.#forgetUpTo(last);
    else if (this.#isTailTorn) this.#writer.cut(last);
    this.#isTailTorn = false;
  }

  #target(): BatchTarget {
    const last = this.#segments.at(-1);
    const isFit = last?.isDamaged === false && last.nextLine === this.#nextLine && last.outputEnd === this.#outputEnd;
    const segment = isFit ? last : null;
    return { directory: this.#directory, segment, segmentBytes: this.#segmentBytes, now: Date.now() };
  }

  async #appendParts(parts: readonly SegmentPart[]): Promise<void> {
    this.#dropBeyond(this.#maxBytes - bytesOf(parts));
    try {
      await this.#write(parts);
    } catch (error) {
      this.#undo(parts);
      throw error;
    }
    this.#take(parts);
  }

  async #write(parts: readonly SegmentPart[]): Promise<void> {
    const epoch = this.#epoch;
    for (const { segment, isNew, output, index } of parts) {
      if (isNew) this.#writer.create(segment);
      await this.#writer.append(segment, output, index);
      if (epoch !== this.#epoch) throw new Error('The history was restarted or removed during the append');
    }
  }

  /** Makes the written data readable. */
  #take(parts: readonly SegmentPart[]): void {
    for (const { segment, isNew, blocks } of parts) {
      for (const { head, size } of blocks) segment.add(head, size);
      if (isNew) this.#segments.push(segment);
      this.#nextLine = segment.nextLine;
      this.#outputEnd = segment.outputEnd;
    }
    // Output that was lost on disk was still in memory, and may be part of a line that has ended only now.
    const start = this.lostOutput.at(-1)?.to ?? this.outputStart;
    const reachBack = parts.some(({ blocks }) => blocks.some(({ head }) => head.earliestSpan < start));
    if (reachBack) this.#settleOldestLine(start);
    this.#dropBeyond(this.#maxBytes);
  }

  #undo(parts: readonly SegmentPart[]): void {
    const [known, unknown] = [parts.filter(this.#isHeld), parts.filter((part) => !this.#isHeld(part))];
    if (unknown.length > 0) this.#writer.release();
    this.#deletions.delete(unknown.flatMap(({ segment }) => [segment.outputPath, segment.indexPath]));
    if (known.length > 0) this.#cutTail();
  }

  readonly #isHeld = ({ segment }: SegmentPart): boolean => this.#segments.includes(segment);

  /** Truncates the last segment's files to what is recorded for it; if that fails, the next append does it. */
  #cutTail(): void {
    this.#isTailTorn = true;
    try {
      this.#writer.cut(this.#segments.at(-1)!);
      this.#isTailTorn = false;
    } catch {
      // The disk is full or failing, but nothing reads past the recorded end.
    }
    this.#writer.release();
  }

  #dropBeyond(maxBytes: number): void {
    while (this.bytes > maxBytes && this.dropOldest() > 0);
  }

  /** Begins a segment, whose name tells the next process where to continue. If that fails, the next append does it. */
  #beginAt(line: number, offset: number): void {
    this.#nextLine = line;
    this.#oldestLine = line;
    this.#outputEnd = offset;
    if (this.#isAppending || (line === 0 && offset === 0)) return;
    const segment = new Segment(this.#directory, { line, offset });
    try {
      this.#writer.create(segment);
      this.#writer.release();
      this.#segments.push(segment);
    } catch {
      this.#deletions.delete([segment.outputPath, segment.indexPath]);
    }
  }

  #forgetUpTo(segment: Segment): void {
    const gone = this.#segments.splice(0, this.#segments.indexOf(segment) + 1);
    if (this.#segments.length === 0) this.#loseTail();
    for (const one of gone) one.release();
    this.#forgetLines();
    this.#deletions.delete(gone.flatMap(({ outputPath, indexPath }) => [outputPath, indexPath]));
    this.#settleOldestLine();
  }

  #forgetLines(): void {
    forgetLines((path) => path.startsWith(`${this.#directory}/`));
  }

  /** Handles the loss of the segment being written to. */
  #loseTail(): void {
    this.#epoch++;
    this.#isTailTorn = false;
    if (!this.#isAppending) this.#writer.release();
  }

  /** Sets the oldest line to the first readable line in a segment, after all lines that are spans of dropped output. */
  #settleOldestLine(start = this.outputStart): void {
    let oldest = this.#segments[0]?.firstLine ?? this.#nextLine;
    for (const segment of this.#segments) oldest = Math.max(oldest, lineBehindSpansBefore(segment, start));
    this.#oldestLine = skipLost(lostLinesOf(this.#segments, this.#nextLine), oldest);
  }

  #reading<Result>(segment: Segment, read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      if (isGone(error)) this.#forgetUpTo(segment);
      const message = `History on disk cannot be read: ${(error as Error).message}`;
      throw new TerminalError('READ_FAILED', message, {}, { cause: error });
    }
  }
}

function bytesOf(parts: readonly SegmentPart[]): number {
  return parts.reduce((sum, { output, index }) => sum + output.length + index.length, 0);
}

/** Like `Segment.lineBehindSpansBefore`. If that cannot be determined, no line of the segment can be read either. */
function lineBehindSpansBefore(segment: Segment, offset: number): number {
  try {
    return segment.lineBehindSpansBefore(offset);
  } catch {
    return segment.nextLine;
  }
}
