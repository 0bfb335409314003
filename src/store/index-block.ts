/**
 * Encodes and decodes one block of an index file, which describes a piece of the output and the lines that became final
 * with it.
 *
 * A block is a header and a payload. Numbers are little-endian; `varint`, `signed` and `text` are as in
 * `byte-codec.ts`.
 *
 *     header   uint32  magic and version: the bytes `TNH1`
 *              uint32  CRC-32 of everything that follows in this block
 *              uint32  length of the payload
 *     payload  varint  offset where the block's output ends; it begins where the previous block ended
 *              uint32  CRC-32 of that output
 *              varint  number of the first line
 *              varint  number of lines; may be 0
 *              varint  time of the first line; without lines, the time of writing
 *              signed  time of the last line, relative to that
 *              varint  offset where the first line begins; without lines, the end of the block's output
 *              varint  offset where the earliest span begins; without spans, the end of the block's output
 *     line     byte    flags: `HAS_TEXT`, `HAS_STYLE`, `HAS_TIME`, `HAS_START`
 *              signed  `HAS_TIME`: time, relative to the previous line
 *              signed  `HAS_START`: start, relative to the expected start
 *              text    `HAS_TEXT`: the line's own text; the two following fields are then absent
 *              varint  length of the span in bytes
 *              text    `HAS_STYLE`: the style that the span begins in
 *
 * A line is expected to start after the previous line's span and its CR LF or, if the previous line has its own text,
 * where that line started.
 */
import { crc32 } from 'node:zlib';
import { OWN_TEXT } from '../history/line-buffer.js';
import type { StoredLine, LineRange } from '../history/line-buffer.js';
import { ByteReader } from './byte-codec.js';
import type { ByteWriter } from './byte-codec.js';

/** The header data of a block. Times are milliseconds since the epoch. */
export interface BlockHead {
  readonly outputTo: number;
  readonly outputCrc: number;
  readonly firstLine: number;
  readonly lineCount: number;
  readonly time: number;
  readonly newestTime: number;
  /** Offset where the first line begins, or `outputTo` if there are no lines. */
  readonly start: number;
  /** Offset where the earliest span of its lines begins, or `outputTo` if there are no spans. */
  readonly earliestSpan: number;
}

/** A block that has been found: its head, and the positions of its parts. */
export interface FoundBlock {
  readonly head: BlockHead;
  readonly linesAt: number;
  readonly end: number;
}

/** The contents of a block to be written. */
export interface BlockContent {
  readonly outputTo: number;
  readonly outputCrc: number;
  readonly firstLine: number;
  /** The block contains lines `[from, to)` of these. */
  readonly lines: LineRange;
  readonly from: number;
  readonly to: number;
  /** Where the earliest span of the lines begins; Infinity if there is none. */
  readonly earliestSpan: number;
}

/** The first bytes of every block. */
export const BLOCK_MAGIC = Buffer.from('TNH1');
const MAGIC = BLOCK_MAGIC.readUInt32LE(0);
const HEADER_BYTES = 12;
const CRC_AT = 4;
const LENGTH_AT = 8;

const HAS_TEXT = 1;
const HAS_STYLE = 2;
const HAS_TIME = 4;
const HAS_START = 8;
const CR_LF = 2;

/** Appends a block. `now` is the time of a block without lines. */
export function writeBlock(writer: ByteWriter, content: BlockContent, now: number): BlockHead {
  const at = writer.length;
  const head = headOf(content, now);
  writer.uint32(MAGIC);
  writer.uint32(0);
  writer.uint32(0);
  writeHead(writer, head);
  writeLines(writer, content, head);
  writer.patchUint32(at + LENGTH_AT, writer.length - at - HEADER_BYTES);
  writer.patchUint32(at + CRC_AT, crc32(writer.view(at + LENGTH_AT)));
  return head;
}

/** Returns the block at `at`. Returns null if there is none, or if it has been truncated or changed. */
export function findBlock(bytes: Buffer, at: number): FoundBlock | null {
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== MAGIC) return null;
  const end = at + HEADER_BYTES + bytes.readUInt32LE(at + LENGTH_AT);
  if (end > bytes.length) return null;
  if (crc32(bytes.subarray(at + LENGTH_AT, end)) !== bytes.readUInt32LE(at + CRC_AT)) return null;
  const reader = new ByteReader(bytes, at + HEADER_BYTES, end);
  const head = readHead(reader);
  return reader.isPastEnd ? null : { head, linesAt: reader.at, end };
}

/** Appends the lines of a block to `lines`. */
export function readLines(bytes: Buffer, { head, linesAt, end }: FoundBlock, lines: StoredLine[]): void {
  const reader = new ByteReader(bytes, linesAt, end);
  let { time, start } = head;
  for (let i = 0; i < head.lineCount; i++) {
    const tag = reader.byte();
    if (tag & HAS_TIME) time += reader.signed();
    if (tag & HAS_START) start += reader.signed();
    if (tag & HAS_TEXT) lines.push({ start, time, length: null, text: reader.text() });
    else {
      const length = reader.varint();
      lines.push({ start, time, length, text: tag & HAS_STYLE ? reader.text() : '' });
      start += length + CR_LF;
    }
  }
}

function headOf(content: BlockContent, now: number): BlockHead {
  const { outputTo, outputCrc, firstLine, lines, from, to, earliestSpan } = content;
  const lineCount = to - from;
  const time = lineCount === 0 ? now : lines.time(from);
  const newestTime = lineCount === 0 ? now : lines.time(to - 1);
  const start = lineCount === 0 ? outputTo : lines.start(from);
  const earliest = Math.min(earliestSpan, outputTo);
  return { outputTo, outputCrc, firstLine, lineCount, time, newestTime, start, earliestSpan: earliest };
}

function writeHead(writer: ByteWriter, head: BlockHead): void {
  writer.varint(head.outputTo);
  writer.uint32(head.outputCrc);
  writer.varint(head.firstLine);
  writer.varint(head.lineCount);
  writer.varint(head.time);
  writer.signed(head.newestTime - head.time);
  writer.varint(head.start);
  writer.varint(head.earliestSpan);
}

function readHead(reader: ByteReader): BlockHead {
  const outputTo = reader.varint();
  const outputCrc = reader.uint32();
  const firstLine = reader.varint();
  const lineCount = reader.varint();
  const time = reader.varint();
  const newestTime = time + reader.signed();
  const start = reader.varint();
  const earliestSpan = reader.varint();
  return { outputTo, outputCrc, firstLine, lineCount, time, newestTime, start, earliestSpan };
}

function writeLines(writer: ByteWriter, { lines, from, to }: BlockContent, head: BlockHead): void {
  let { time, start } = head;
  for (let i = from; i < to; i++) {
    const length = lines.length(i);
    const begins = lines.start(i);
    const began = lines.time(i);
    const isNext = begins === start && began === time;
    if (isNext && length !== OWN_TEXT && lines.text(i) === '') writer.byteAndVarint(0, length);
    else writeLine(writer, lines, i, { time, start });
    time = began;
    start = length === OWN_TEXT ? begins : begins + length + CR_LF;
  }
}

/** Writes a line relative to the expected time and start. */
function writeLine(writer: ByteWriter, lines: LineRange, i: number, expected: { time: number; start: number }): void {
  const length = lines.length(i);
  const text = lines.text(i);
  const fromExpected = { time: lines.time(i) - expected.time, start: lines.start(i) - expected.start };
  const isSpan = length !== OWN_TEXT;
  const hasStyle = isSpan && text !== '';
  const what = (isSpan ? 0 : HAS_TEXT) | (hasStyle ? HAS_STYLE : 0);
  writer.byte(what | (fromExpected.time === 0 ? 0 : HAS_TIME) | (fromExpected.start === 0 ? 0 : HAS_START));
  if (fromExpected.time !== 0) writer.signed(fromExpected.time);
  if (fromExpected.start !== 0) writer.signed(fromExpected.start);
  if (isSpan) writer.varint(length);
  if (!isSpan || hasStyle) writer.text(text);
}
