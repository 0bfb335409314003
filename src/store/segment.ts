/**
 * Represents one segment of a history: a file of output and a file with its index, both append-only. Knows and reads
 * their contents; `segment-writer.ts` writes them.
 *
 * The files are named `<offset>-<line>` after the offset of the first byte and the number of the first line, in 16
 * digits each, so that sorting by name sorts the segments: `.out` contains the raw bytes, `.idx` contains consecutive
 * blocks (`index-block.ts`). Bytes are written before the block that covers them.
 */
import { join } from 'node:path';
import type { StoredLine } from '../history/line-buffer.js';
import type { Span } from '../history/spans.js';
import { BLOCK_LINES } from './batch-blocks.js';
import type { BlockHead } from './index-block.js';
import { linesBetween } from './decoded-lines.js';
import { forgetDescriptor, readInto } from './read-descriptors.js';

/**
 * In memory, the index contains only strides. A new stride begins after a number of lines, or after this many bytes of
 * the index file.
 */
const STRIDE_BYTES = 32 << 10;
const DIGITS = 16;
const NAME = /^(\d{16})-(\d{16})\.(out|idx)$/;

/** Where a segment begins. */
export interface SegmentStart {
  readonly offset: number;
  readonly line: number;
}

/** Parses the name of a segment's file; returns null for any other name. */
export function parseSegmentName(name: string): (SegmentStart & { readonly kind: 'out' | 'idx' }) | null {
  const match = NAME.exec(name);
  if (match === null) return null;
  return { offset: Number(match[1]), line: Number(match[2]), kind: match[3] as 'out' | 'idx' };
}

export class Segment {
  readonly offset: number;
  readonly firstLine: number;
  readonly outputPath: string;
  readonly indexPath: string;
  #outputBytes = 0;
  #indexBytes = 0;
  #nextLine: number;
  #time: number | null = null;
  /**
   * For each stride: its first line, where it begins and ends in the index, and where its earliest span begins in the
   * output.
   */
  readonly #lines: number[] = [];
  readonly #positions: number[] = [];
  readonly #ends: number[] = [];
  readonly #earliestSpans: number[] = [];

  readonly #lostLines: Span[] = [];
  readonly #lostOutput: Span[] = [];
  /** Whether the part before the next block cannot be read. */
  #isBroken = false;

  constructor(directory: string, { offset, line }: SegmentStart) {
    const name = `${digits(offset)}-${digits(line)}`;
    this.offset = offset;
    this.firstLine = line;
    this.#nextLine = line;
    this.outputPath = join(directory, `${name}.out`);
    this.indexPath = join(directory, `${name}.idx`);
  }

  get outputBytes(): number {
    return this.#outputBytes;
  }

  get indexBytes(): number {
    return this.#indexBytes;
  }

  /** Size on disk in bytes. */
  get bytes(): number {
    return this.#outputBytes + this.#indexBytes;
  }

  /** Offset after its last byte. */
  get outputEnd(): number {
    return this.offset + this.#outputBytes;
  }

  /** Number after its last line. */
  get nextLine(): number {
    return this.#nextLine;
  }

  /** Time of its first line, or of its first bytes; null while it is empty. */
  get time(): number | null {
    return this.#time;
  }

  /** Its lines and bytes that cannot be read, before the last readable ones. */
  get lostLines(): readonly Span[] {
    return this.#lostLines;
  }

  get lostOutput(): readonly Span[] {
    return this.#lostOutput;
  }

  /**
   * Records that the part after the known part, up to `position` in the index and up to this line and offset, cannot be
   * read. Output from `offset` to `outputEnd` can.
   */
  lose(line: number, offset: number, position: number, outputEnd = offset): void {
    if (line > this.#nextLine) this.#lostLines.push({ from: this.#nextLine, to: line });
    if (offset > this.outputEnd) this.#lostOutput.push({ from: this.outputEnd, to: offset });
    this.#nextLine = line;
    this.#outputBytes = outputEnd - this.offset;
    this.#indexBytes = position;
    this.#isBroken = true;
  }

  /**
   * Whether a part of it is lost. If so, nothing is appended to it, because the missing parts of its files would then
   * seem to exist.
   */
  get isDamaged(): boolean {
    return this.#lostLines.length + this.#lostOutput.length > 0;
  }

  /** Records a block of `size` bytes that follows the known ones in the index. */
  add(head: BlockHead, size: number): void {
    const last = this.#lines.length - 1;
    const isFull =
      last < 0 ||
      this.#isBroken ||
      this.#nextLine - this.#lines[last]! >= BLOCK_LINES ||
      this.#indexBytes - this.#positions[last]! >= STRIDE_BYTES;
    if (isFull) this.#beginStride(head);
    else this.#earliestSpans[last] = Math.min(this.#earliestSpans[last]!, earliestSpanOf(head));
    this.#outputBytes = head.outputTo - this.offset;
    this.#indexBytes += size;
    this.#ends[this.#ends.length - 1] = this.#indexBytes;
    this.#nextLine = head.firstLine + head.lineCount;
    this.#time ??= head.time;
  }

  /** Returns line `n`, which must be in this segment. @throws DamagedFile, or the file system error. */
  line(n: number): StoredLine {
    const stride = this.#strideOf(n);
    const line = this.#strideLines(stride)[n - this.#lines[stride]!];
    if (line === undefined) throw new Error(`Line ${n} is not in ${this.indexPath}`);
    return line;
  }

  /** Copies output from absolute offset `from` to `to`, which must be in this segment, into `target` at `at`. */
  readOutput(from: number, to: number, target: Uint8Array, at: number): void {
    readInto(this.outputPath, from - this.offset, target, at, to - from);
  }

  /** Returns the number after the last line that is a span beginning before `offset`; 0 if there is none. */
  lineBehindSpansBefore(offset: number): number {
    for (let stride = this.#lines.length - 1; stride >= 0; stride--) {
      if (this.#earliestSpans[stride]! >= offset) continue;
      const last = this.#strideLines(stride).findLastIndex((line) => line.length !== null && line.start < offset);
      return this.#lines[stride]! + last + 1;
    }
    return 0;
  }

  /** Closes the descriptors used for reading it. */
  release(): void {
    forgetDescriptor(this.outputPath);
    forgetDescriptor(this.indexPath);
  }

  #beginStride(head: BlockHead): void {
    this.#lines.push(head.firstLine);
    this.#positions.push(this.#indexBytes);
    this.#ends.push(this.#indexBytes);
    this.#isBroken = false;
    this.#earliestSpans.push(earliestSpanOf(head));
  }

  #strideOf(n: number): number {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#lines[middle]! <= n) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #strideLines(stride: number): readonly StoredLine[] {
    return linesBetween(this.indexPath, this.#positions[stride]!, this.#ends[stride]!);
  }
}

/**
 * Returns the offset where a block's earliest span begins, or Infinity if the block has no spans, in which case
 * dropping output makes none of its lines unreadable.
 */
function earliestSpanOf({ earliestSpan, outputTo }: BlockHead): number {
  return earliestSpan === outputTo ? Infinity : earliestSpan;
}

function digits(value: number): string {
  return String(value).padStart(DIGITS, '0');
}
