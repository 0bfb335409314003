/**
 * One segment of a history: a file of output and a file with its index, both only ever appended to. Knows what is in
 * them and reads it; writing is `segment-writer.ts`'s. It knows no other segment.
 *
 * The files are named `<offset>-<line>` for the offset of the first byte and the number of the first line, in 16
 * digits each, so that names in order are segments in order: `.out` is the bytes as they were, `.idx` is blocks
 * (`index-block.ts`) one after the other. Bytes are written before the block that covers them.
 */
import { join } from 'node:path';
import type { KeptLine } from '../history/lines.js';
import type { Span } from '../history/spans.js';
import { BLOCK_LINES } from './batch-blocks.js';
import type { BlockHead } from './index-block.js';
import { linesBetween } from './decoded-lines.js';
import { forgetDescriptor, readInto } from './read-descriptors.js';

/** In memory is known only where every so many lines, or bytes of index, begin. */
const STRIDE_BYTES = 32 << 10;
const DIGITS = 16;
const NAME = /^(\d{16})-(\d{16})\.(out|idx)$/;

/** Where a segment begins. */
export interface SegmentStart {
  readonly offset: number;
  readonly line: number;
}

/** What a file's name says, or null if it is no segment's. */
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
  #newestTime: number | null = null;
  /** Of each stride: its first line, where it begins and ends in the index, where its earliest span begins in the output. */
  readonly #lines: number[] = [];
  readonly #positions: number[] = [];
  readonly #ends: number[] = [];
  readonly #earliestSpans: number[] = [];

  readonly #lostLines: Span[] = [];
  readonly #lostOutput: Span[] = [];
  /** Whether what stood before the next block cannot be read. */
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

  /** Bytes on disk. */
  get bytes(): number {
    return this.#outputBytes + this.#indexBytes;
  }

  /** Offset behind its last byte. */
  get outputEnd(): number {
    return this.offset + this.#outputBytes;
  }

  /** Number behind its last line. */
  get nextLine(): number {
    return this.#nextLine;
  }

  /** Time of its first line, or first bytes; null while it is empty. */
  get time(): number | null {
    return this.#time;
  }

  get newestTime(): number | null {
    return this.#newestTime;
  }

  /** Lines and bytes of it that cannot be read, before those that can. */
  get lostLines(): readonly Span[] {
    return this.#lostLines;
  }

  get lostOutput(): readonly Span[] {
    return this.#lostOutput;
  }

  /**
   * What stands before `position` in the index, behind what is known, cannot be read: up to this line and offset. The
   * output up to `outputEnd` can.
   */
  lose(line: number, offset: number, position: number, outputEnd = offset): void {
    if (line > this.#nextLine) this.#lostLines.push({ from: this.#nextLine, to: line });
    if (offset > this.outputEnd) this.#lostOutput.push({ from: this.outputEnd, to: offset });
    this.#nextLine = line;
    this.#outputBytes = outputEnd - this.offset;
    this.#indexBytes = position;
    this.#isBroken = true;
  }

  /** Whether something of it is lost. Nothing is appended to it then: what its files lack would seem to be there. */
  get isDamaged(): boolean {
    return this.#lostLines.length + this.#lostOutput.length > 0;
  }

  /** Takes note of a block that stands in the index, `size` bytes long, behind those known. */
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
    this.#newestTime = head.newestTime;
  }

  /** Line `n`, which must be in it. @throws DamagedFile, or what the system says. */
  line(n: number): KeptLine {
    const stride = this.#strideOf(n);
    const line = this.#strideLines(stride)[n - this.#lines[stride]!];
    if (line === undefined) throw new Error(`Line ${n} is not in ${this.indexPath}`);
    return line;
  }

  /** Copies output from absolute offset `from` to `to`, which must be in it, into `target` at `at`. */
  readOutput(from: number, to: number, target: Uint8Array, at: number): void {
    readInto(this.outputPath, from - this.offset, target, at, to - from);
  }

  /** Number behind the last line that is a span from before `offset`; 0 if there is none. */
  lineBehindSpansBefore(offset: number): number {
    for (let stride = this.#lines.length - 1; stride >= 0; stride--) {
      if (this.#earliestSpans[stride]! >= offset) continue;
      const last = this.#strideLines(stride).findLastIndex((line) => line.length !== null && line.start < offset);
      return this.#lines[stride]! + last + 1;
    }
    return 0;
  }

  /** Closes the descriptors it is read by. */
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

  #strideLines(stride: number): readonly KeptLine[] {
    return linesBetween(this.indexPath, this.#positions[stride]!, this.#ends[stride]!);
  }
}

/** A block whose lines are no spans stands in nobody's way. */
function earliestSpanOf({ earliestSpan, outputTo }: BlockHead): number {
  return earliestSpan === outputTo ? Infinity : earliestSpan;
}

function digits(value: number): string {
  return String(value).padStart(DIGITS, '0');
}
