/**
 * Finds the segments in a directory after whatever happened to it: what is torn or changed is not believed, and what
 * is left is one run of segments without a hole. Reads only; it does not know what becomes of the rest.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { findBlock } from './index-block.js';
import type { BlockHead } from './index-block.js';
import { parseSegmentName, Segment } from './segment.js';

export interface Found {
  /** Oldest first; each begins where the one before ends. */
  readonly segments: Segment[];
  /** Files of segments that are not among them. */
  readonly rest: readonly string[];
  /** Whether the files of the last one hold more than is believed of them. */
  readonly isTailTorn: boolean;
}

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Where there is a hole, the run with the most bytes counts; of equals, the newest.
 *
 * @throws What the system says if the directory is there but cannot be read.
 */
export function findSegments(directory: string): Found {
  const names = segmentFiles(directory);
  const all = [...new Set(names.map((name) => name.replace(/\.\w+$/, '')))].sort();
  const whole = all.filter((name) => names.includes(`${name}.out`) && names.includes(`${name}.idx`));
  const run = largestRun(whole.map((name) => scan(directory, name, false).segment));
  const last = run.at(-1);
  // A crash may leave the newest bytes unwritten: of the last segment they are looked at too.
  const checked = last === undefined ? null : scan(directory, nameOf(last), true);
  const segments = checked === null ? [] : [...run.slice(0, -1), checked.segment];
  const known = new Set(segments.flatMap(({ outputPath, indexPath }) => [outputPath, indexPath]));
  const rest = names.map((name) => join(directory, name)).filter((path) => !known.has(path));
  return { segments, rest, isTailTorn: checked?.isTorn ?? false };
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
}

/** What can be believed of a segment: the blocks from the first on that are whole, and whose output is there. */
function scan(directory: string, name: string, checksOutput: boolean): Scanned {
  const segment = new Segment(directory, parseSegmentName(`${name}.out`)!);
  const index = contentOf(segment.indexPath);
  const output = checksOutput ? contentOf(segment.outputPath) : null;
  const outputBytes = output?.length ?? sizeOf(segment.outputPath);
  let at = 0;
  for (let block = findBlock(index, 0); block !== null; block = findBlock(index, at)) {
    if (!goesOn(segment, block.head, outputBytes)) break;
    if (output !== null && !isCovered(segment, block.head, output)) break;
    segment.add(block.head, block.end - at);
    at = block.end;
  }
  return { segment, isTorn: index.length > segment.indexBytes || outputBytes > segment.outputBytes };
}

function goesOn(segment: Segment, { firstLine, outputTo }: BlockHead, outputBytes: number): boolean {
  return firstLine === segment.nextLine && outputTo >= segment.outputEnd && outputTo - segment.offset <= outputBytes;
}

function isCovered(segment: Segment, { outputTo, outputCrc }: BlockHead, output: Buffer): boolean {
  return crc32(output.subarray(segment.outputBytes, outputTo - segment.offset)) === outputCrc;
}

function largestRun(segments: readonly Segment[]): Segment[] {
  const runs: Segment[][] = [];
  for (const segment of segments) {
    const previous = runs.at(-1)?.at(-1);
    const goesOn = previous?.outputEnd === segment.offset && previous.nextLine === segment.firstLine;
    if (goesOn) runs.at(-1)!.push(segment);
    else runs.push([segment]);
  }
  const bytesOf = (run: readonly Segment[]): number => run.reduce((sum, { bytes }) => sum + bytes, 0);
  return runs.reduce((best, run) => (bytesOf(run) >= bytesOf(best) ? run : best), []);
}

function nameOf({ outputPath }: Segment): string {
  return outputPath.slice(outputPath.lastIndexOf('/') + 1, -'.out'.length);
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
