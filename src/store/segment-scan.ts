/**
 * Finds the segments in a directory after whatever happened to it: what is torn or changed is not believed, and what
 * is missing between what is left is said. Reads only; it does not know what becomes of the rest.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { BLOCK_MAGIC, findBlock } from './index-block.js';
import type { BlockHead, FoundBlock } from './index-block.js';
import { parseSegmentName, Segment } from './segment.js';

export interface Found {
  /** Oldest first; each begins where the one before ends, or behind it where something is lost. */
  readonly segments: Segment[];
  /** Files of segments that are not among them. */
  readonly rest: readonly string[];
  /** Whether the files of the last one hold more than is believed of them. */
  readonly isTailTorn: boolean;
}

/** What can stand between the end of a line and the next: nothing, LF, CR LF, or CR CR LF. */
const LINE_BREAKS = [0, 1, 2, 3];

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Of which segments the output is compared with its checksums: a crash may leave the newest unwritten. */
export type Checks = 'all' | 'newest';

/** @throws What the system says if the directory is there but cannot be read. */
export function findSegments(directory: string, checks: Checks): Found {
  const names = segmentFiles(directory);
  const all = [...new Set(names.map((name) => name.replace(/\.\w+$/, '')))].sort();
  const whole = all.filter((name) => names.includes(`${name}.out`) && names.includes(`${name}.idx`));
  const found: Scanned[] = [];
  for (const name of whole) {
    const before = found.at(-1);
    const scanned = scan(directory, name, before, checks === 'all' || name === whole.at(-1));
    const isOfUse = name === whole.at(-1) || scanned.segment.indexBytes > 0;
    // Of two that claim the same the older one is believed; they are of no process that went on here.
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

/** Names of files that are segments', by their names; none where there is no directory. */
export function segmentFiles(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => parseSegmentName(name) !== null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

interface Scanned {
  readonly segment: Segment;
  readonly isTorn: boolean;
  /** Where the last output ends that is lost, in it or before it; 0 if none is. */
  readonly lostUntil: number;
}

/**
 * What can be believed of a segment: all blocks that are whole and whose output is there. What stands between them is
 * lost; what stands behind the last one is torn.
 */
function scan(directory: string, name: string, before: Scanned | undefined, checksOutput: boolean): Scanned {
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

/** @param from - Where its output begins; null if that is not what it was. */
function take(segment: Segment, { at, block }: Placed, from: number | null, lostUntil: number): void {
  const { head, end } = block;
  const behind = head.firstLine + head.lineCount;
  if (from === null) return segment.lose(behind, head.outputTo, end);
  const isNext = at === segment.indexBytes && from === segment.outputEnd && head.firstLine === segment.nextLine;
  // A span may reach back to output that is lost.
  const isWhole = head.earliestSpan >= (from === segment.outputEnd ? lostUntil : from);
  if (!isWhole) return segment.lose(behind, from, end, head.outputTo);
  if (!isNext) segment.lose(head.firstLine, from, at);
  segment.add(head, end - at);
}

function lostBefore({ offset }: Segment, before: Scanned | undefined): number {
  if (before === undefined) return 0;
  return before.segment.outputEnd < offset ? offset : before.lostUntil;
}

interface Placed {
  readonly at: number;
  readonly block: FoundBlock;
}

/** The first whole block that begins at `from` or behind it. */
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

/** The output of a segment, read as far as it is to be compared. */
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
   * Where the output of a block begins, or null if it is not what it was. Where the block before it (`isNext`: right
   * before) is known, at its end; elsewhere that has to be found: mostly with the line break before its first line.
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

/** All of a file; nothing if it is not a file that can be read. */
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

/** A want of descriptors says nothing of the file: what it holds must not be given up for it. */
function isShortage(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '');
}
