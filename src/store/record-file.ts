/**
 * Stores small records as files. A record is written completely or not at all, and is accepted only if it is complete.
 *
 * A file is JSON: `{"crc32":"<8 hex digits>","record":<the value>}` and a line feed, where the checksum covers the
 * bytes of the value as written. It is written to a temporary file in the same directory and renamed into place;
 * nothing is synced (fsync).
 */
import { constants, readFileSync, renameSync, rmSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { z } from 'zod';
import { withFile } from '../file-access.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const CREATE_FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
const FILE_MODE = 0o600;
const MAX_RECORD_BYTES = 64 << 20;

const BEFORE_CRC = '{"crc32":"';
const BEFORE_VALUE = '","record":';
const BEHIND_VALUE = '}\n';
const CRC_DIGITS = 8;
const VALUE_AT = BEFORE_CRC.length + CRC_DIGITS + BEFORE_VALUE.length;

/** The writes in progress to one path. */
interface Writes {
  underWay: number;
  /** Number of the newest write that has been moved into place. */
  placed: number;
}

let lastWrite = 0;
const writes = new Map<string, Writes>();

/**
 * Writes a record (0600). If several writes to one path are concurrent, the last one requested wins.
 *
 * @throws the file system error; the previous record then remains.
 */
export async function writeRecord(path: string, value: unknown): Promise<void> {
  const number = ++lastWrite;
  const bytes = encode(value);
  const underWay = begin(path);
  const aside = asidePath(path, number);
  try {
    await writeAside(aside, bytes);
    // No other code runs between this check and the rename.
    if (number > underWay.placed) place(aside, path, number);
    else rmSync(aside, { force: true });
  } catch (error) {
    removeQuietly(aside);
    throw error;
  } finally {
    if (--underWay.underWay === 0) writes.delete(path);
  }
}

/** Reads a record. Returns null if there is none, or if it is incomplete, changed, invalid or unreadable. */
export function readRecord<T>(path: string, schema: z.ZodType<T>): T | null {
  try {
    const text = decode(contentOf(path));
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

function encode(value: unknown): Buffer {
  const text = JSON.stringify(value);
  if (text === undefined) throw new Error('A record must be a JSON value');
  const crc = crc32(text).toString(16).padStart(CRC_DIGITS, '0');
  return Buffer.from(`${BEFORE_CRC}${crc}${BEFORE_VALUE}${text}${BEHIND_VALUE}`);
}

function decode(bytes: Buffer): string | null {
  const valueEnd = bytes.length - BEHIND_VALUE.length;
  if (valueEnd < VALUE_AT) return null;
  const value = bytes.subarray(VALUE_AT, valueEnd);
  const crc = crc32(value).toString(16).padStart(CRC_DIGITS, '0');
  const isWhole =
    bytes.toString('latin1', 0, VALUE_AT) === `${BEFORE_CRC}${crc}${BEFORE_VALUE}` &&
    bytes.toString('latin1', valueEnd) === BEHIND_VALUE;
  return isWhole ? value.toString('utf8') : null;
}

function contentOf(path: string): Buffer {
  const read = (file: number, stats: Stats) =>
    stats.isFile() && stats.size <= MAX_RECORD_BYTES ? readFileSync(file) : Buffer.alloc(0);
  return withFile(path, read, O_NOFOLLOW);
}

function begin(path: string): Writes {
  const underWay = writes.get(path) ?? { underWay: 0, placed: 0 };
  writes.set(path, underWay);
  underWay.underWay++;
  return underWay;
}

function place(aside: string, path: string, number: number): void {
  renameSync(aside, path);
  const underWay = writes.get(path);
  if (underWay !== undefined) underWay.placed = number;
}

async function writeAside(aside: string, bytes: Buffer): Promise<void> {
  const file = await open(aside, CREATE_FLAGS, FILE_MODE);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

/** Returns a path that no other process and no other write in this process uses. */
function asidePath(path: string, number: number): string {
  return `${path}.${process.pid}-${number}.new`;
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The original error is more useful.
  }
}
