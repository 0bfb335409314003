/**
 * Finds the valid segments in a directory, even if its files are damaged: skips incomplete or corrupt data and reports
 * the gaps. Read-only: the caller decides what to do with any other files.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { BLOCK_MAGIC, findBlock } from './index-block.js';
import type { BlockHead, FoundBlock } from './index-block.js';
import { parseSegmentName, Segment } from './segment.js';

export interface SegmentScan {
  /** Oldest first; each segment begins where the previous one ends, or later if something is lost. */
  readonly segments: Segment[];
  /** Files of segments that are not among them. */
  readonly rest: readonly string[];
  /** Whether the files of the last segment contain more than was accepted. */
  readonly isTailTorn: boolean;
}

/** Possible numbers of bytes between a line and the next: nothing, LF, CR LF, or CR CR LF. */
const LINE_BREAKS = [0, 1, 2, 3];

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The segments whose output is verified against its checksums. A crash may leave only the newest one unwritten. */
export type ChecksumScope = 'all' | 'newest';

/** @throws the file system error if the directory exists but cannot be read. */
export function findSegments(directory: string, checks: ChecksumScope): SegmentScan {
  const names = segmentFiles(directory);
  const all = [...new Set(names.map((name) => name.replace(/\.\w+$/, '')))].sort();
  const whole = all.filter((name) => names.includes(`${name}.out`) && names.includes(`${name}.idx`));
  const found: ScannedSegment[] = [];
  for (const name of whole) {
    const before = found.at(-1);
    const scanned = scan(directory, name, before, checks === 'all' || name === whole.at(-1));
    const isOfUse = name === whole.at(-1) || scanned.segment.indexBytes > 0;
    // If two segments overlap, accept the older one: a process that continues a history creates no overlap.
    if (isOfUse && (before === undefined || isBehind(scanned.segment, before.segment))) found.push(scanned);
  }
  const segments = found.map(({ segment }) => segment);
  const known = new Set(segments.flatMap(({ outputPath, indexPath }) => [outputPath, indexPath]));
  const rest = names.map((name) => join(directory, name)).filter((path) => !known.has(path));
  return { segments, rest, isTailTorn: found.at(-1)?.isTorn ?? false };
}

function isBehind(segment: Segment, before: Segment): boolean {
  return segment.offset >= before.outputEnd && segment.firstLine >= before.nextLine;
}

/** Returns the names of the files whose names are those of segments; none if there is no directory. */
export function segmentFiles(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => parseSegmentName(name) !== null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

interface ScannedSegment {
  readonly segment: Segment;
  readonly isTorn: boolean;
  /** Offset where the last lost output ends, in this segment or before it; 0 if none is lost. */
  readonly lostUntil: number;
}

/**
 * Accepts all blocks of a segment that are complete and whose output exists. Data between them is lost; data after the
 * last one is torn.
 */
function scan(
  directory: string,
  name: string,
  before: ScannedSegment | undefined,
  checksOutput: boolean,
): ScannedSegment {
  const segment = new Segment(directory, parseSegmentName(`${name}.out`)!);
  const index = contentOf(segment.indexPath);
  const output = new Output(segment, checksOutput);
  let lostUntil = lostBefore(segment, before);
  for (let at = 0, found = nextBlock(index, at); found !== null; found = nextBlock(index, at)) {
    const isNext = found.at === at;
    at = found.block.end;
    const { head } = found.block;
    if (isInOrder(segment, head)) take(segment, found, output.beginOf(head, segment, isNext), lostUntil);
    lostUntil = segment.lostOutput.at(-1)?.to ?? lostUntil;
  }
  const isTorn = index.length > segment.indexBytes || output.length > segment.outputBytes;
  return { segment, isTorn, lostUntil };
}

/** @param from - Where its output begins; null if the output has been changed. */
function take(segment: Segment, { at, block }: Placed, from: number | null, lostUntil: number): void {
  const { head, end } = block;
  const behind = head.firstLine + head.lineCount;
  if (from === null) return segment.lose(behind, head.outputTo, end);
  const isNext = at === segment.indexBytes && from === segment.outputEnd && head.firstLine === segment.nextLine;
  // A span may begin in lost output.
  const isWhole = head.earliestSpan >= (from === segment.outputEnd ? lostUntil : from);
  if (!isWhole) return segment.lose(behind, from, end, head.outputTo);
  if (!isNext) segment.lose(head.firstLine, from, at);
  segment.add(head, end - at);
}

function lostBefore({ offset }: Segment, before: ScannedSegment | undefined): number {
  if (before === undefined) return 0;
  return before.segment.outputEnd < offset ? offset : before.lostUntil;
}

interface Placed {
  readonly at: number;
  readonly block: FoundBlock;
}

/** Returns the first complete block that begins at or after `from`. */
function nextBlock(index: Buffer, from: number): Placed | null {
  for (let at = from; at !== -1; at = index.indexOf(BLOCK_MAGIC, at + 1)) {
    const block = findBlock(index, at);
    if (block !== null) return { at, block };
  }
  return null;
}

function isInOrder(segment: Segment, { firstLine, outputTo }: BlockHead): boolean {
  return firstLine >= segment.nextLine && outputTo >= segment.outputEnd;
}

/** Reads the output of a segment, only as far as it must be verified. */
class Output {
  readonly #segment: Segment;
  readonly #isChecked: boolean;
  #bytes: Buffer | null = null;
  #length: number | null = null;

  constructor(segment: Segment, isChecked: boolean) {
    this.#segment = segment;
    this.#isChecked = isChecked;
  }

  get length(): number {
    return (this.#length ??= this.#bytes?.length ?? sizeOf(this.#segment.outputPath));
  }

  /**
   * Returns where the output of a block begins, or null if the output has been changed. If the block directly before it
   * (`isNext`) is known, the output begins at that block's end; otherwise this searches for the position, which is
   * usually the line break before the block's first line.
   */
  beginOf(head: BlockHead, { outputEnd, nextLine }: Segment, isNext: boolean): number | null {
    const isKnown = isNext && head.firstLine === nextLine;
    if (isKnown && !this.#isChecked) return head.outputTo - this.#segment.offset <= this.length ? outputEnd : null;
    const candidates = isKnown
      ? [outputEnd]
      : [outputEnd, head.outputTo, ...LINE_BREAKS.map((length) => head.start - length)];
    return candidates.find((from) => from >= outputEnd && from <= head.outputTo && this.#isFrom(from, head)) ?? null;
  }

  #isFrom(from: number, { outputTo, outputCrc }: BlockHead): boolean {
    const { offset, outputPath } = this.#segment;
    const bytes = (this.#bytes ??= contentOf(outputPath));
    return outputTo - offset <= bytes.length && crc32(bytes.subarray(from - offset, outputTo - offset)) === outputCrc;
  }
}

/** Returns the contents of a file; empty if it is not a readable file. */
function contentOf(path: string): Buffer {
  return withFile(path, (fd) => readFileSync(fd)) ?? Buffer.alloc(0);
}

function sizeOf(path: string): number {
  return withFile(path, (fd) => fstatSync(fd).size) ?? 0;
}

function withFile<Result>(path: string, use: (fd: number) => Result): Result | null {
  let fd: number;
  try {
    fd = openSync(path, READ_FLAGS);
  } catch (error) {
    if (isShortage(error)) throw error;
    return null;
  }
  try {
    return fstatSync(fd).isFile() ? use(fd) : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns whether an error is a shortage of descriptors or memory, which says nothing about the file: its contents must
 * not be discarded.
 */
function isShortage(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '');
}
