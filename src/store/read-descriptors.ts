/**
 * Reads files by path and keeps only a few descriptors open for the whole process, so that many terminals do not need
 * many descriptors.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';

const MAX_OPEN = 32;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Thrown if a file exists but does not contain what it should. */
export class DamagedFile extends Error {}

/** Error codes for a file that does not exist or has something else in its place. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'];

/** Returns whether an error means that the original file no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof DamagedFile || GONE.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Least recently used first. */
const open = new Map<string, number>();

/**
 * Reads all bytes `[position, position + length)` of a file into `target` at `at`.
 *
 * @throws DamagedFile if the file is shorter; the file system error if it cannot be opened or read.
 */
export function readInto(path: string, position: number, target: Uint8Array, at: number, length: number): void {
  const fd = descriptorOf(path);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, target, at + done, length - done, position + done);
    if (count === 0) throw new DamagedFile(`${path} ends at ${position + done}, before ${position + length}`);
    done += count;
  }
}

/** Closes the file if it is open. Call when it has been deleted, is about to be deleted, or will not be needed soon. */
export function forgetDescriptor(path: string): void {
  const fd = open.get(path);
  if (fd === undefined) return;
  open.delete(path);
  closeSync(fd);
}

function descriptorOf(path: string): number {
  const known = open.get(path);
  if (known !== undefined) open.delete(path);
  const fd = known ?? openFile(path);
  open.set(path, fd);
  return fd;
}

function openFile(path: string): number {
  while (open.size >= MAX_OPEN) forgetOldest();
  try {
    return openSync(path, READ_FLAGS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EMFILE' || open.size === 0) throw error;
    while (open.size > 0) forgetOldest();
    return openSync(path, READ_FLAGS);
  }
}

function forgetOldest(): void {
  forgetDescriptor(open.keys().next().value!);
}
