/**
 * Converts a batch to the data to write: the output and the index blocks for each segment that receives a part of it.
 * Writes nothing.
 */
import { crc32 } from 'node:zlib';
import type { HistoryBatch } from '../history/store.js';
import { blockRanges } from './batch-blocks.js';
import type { BlockRange } from './batch-blocks.js';
import { ByteWriter } from './byte-codec.js';
import { writeBlock } from './index-block.js';
import type { BlockContent, BlockHead } from './index-block.js';
import { Segment } from './segment.js';

/** What is written to one segment. */
export interface SegmentPart {
  readonly segment: Segment;
  /** Whether its files must still be created. */
  readonly isNew: boolean;
  readonly output: Buffer;
  readonly index: Buffer;
  readonly blocks: readonly { readonly head: BlockHead; readonly size: number }[];
}

/** Where a batch goes. */
export interface BatchTarget {
  readonly directory: string;
  /** The segment to continue; null to begin a new one. */
  readonly segment: Segment | null;
  /** A segment that has at least this many bytes gets no further block. */
  readonly segmentBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface PartBegun {
  readonly segment: Segment;
  readonly isNew: boolean;
  readonly outputFrom: number;
  readonly indexFrom: number;
  readonly blocks: { readonly head: BlockHead; readonly size: number }[];
}

/** Shared by all batches, because a batch is encoded synchronously and then copied. */
const writer = new ByteWriter();

/**
 * @param output - The batch's complete output; the parts are views of it.
 * @throws Error if a line is a span of bytes after the batch's output.
 */
export function partsOf(batch: HistoryBatch, output: Buffer, target: BatchTarget): SegmentPart[] {
  const begun: PartBegun[] = [];
  let offset = batch.fromOffset;
  writer.clear();
  for (const piece of blockRanges(batch, batch.fromOffset + output.length)) {
    const part = partFor(begun, target, { offset, line: batch.fromLine + piece.from });
    const at = writer.length;
    const bytes = output.subarray(offset - batch.fromOffset, piece.outputTo - batch.fromOffset);
    const head = writeBlock(writer, contentOf(batch, piece, crc32(bytes)), target.now);
    part.blocks.push({ head, size: writer.length - at });
    offset = piece.outputTo;
  }
  return finished(begun, output, batch.fromOffset);
}

function contentOf({ lines, fromLine }: HistoryBatch, piece: BlockRange, outputCrc: number): BlockContent {
  const { from, to, outputTo, earliestSpan } = piece;
  return { outputTo, outputCrc, firstLine: fromLine + from, lines, from, to, earliestSpan };
}

/** Returns the part for the next block, which begins here. */
function partFor(begun: PartBegun[], target: BatchTarget, start: { offset: number; line: number }): PartBegun {
  const last = begun.at(-1);
  const segment = last?.segment ?? target.segment;
  const added = last === undefined ? 0 : start.offset - last.outputFrom + writer.length - last.indexFrom;
  const isFull = segment === null || segment.bytes + added >= target.segmentBytes;
  if (last !== undefined && !isFull) return last;
  const next = isFull ? new Segment(target.directory, start) : segment;
  const part = { segment: next, isNew: isFull, outputFrom: start.offset, indexFrom: writer.length, blocks: [] };
  begun.push(part);
  return part;
}

function finished(begun: readonly PartBegun[], output: Buffer, fromOffset: number): SegmentPart[] {
  const index = writer.copy();
  return begun.map(({ segment, isNew, outputFrom, indexFrom, blocks }, i) => {
    const next = begun[i + 1];
    return {
      ...{ segment, isNew, blocks },
      output: output.subarray(outputFrom - fromOffset, (next?.outputFrom ?? Infinity) - fromOffset),
      index: index.subarray(indexFrom, next?.indexFrom),
    };
  });
}
