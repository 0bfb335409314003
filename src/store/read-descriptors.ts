/**
 * Reading from files by path, with a few descriptors kept open for the whole process, so that many terminals do not
 * need many. It does not know what the files hold.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';

const MAX_OPEN = 32;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The file is there but does not hold what it should. */
export class DamagedFile extends Error {}

/** What the system says when a file is not there, or something else is in its place. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'];

/** Whether an error says that the file, as it was, is no more. */
export function isGone(error: unknown): boolean {
  return error instanceof DamagedFile || GONE.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Least recently used first. */
const open = new Map<string, number>();

/**
 * Bytes `[position, position + length)` of a file, whole, into `target` at `at`.
 *
 * @throws DamagedFile if it is shorter; what the system says if it cannot be opened or read.
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

/** Closes the file if it is open: it is gone, will be, or is not needed soon. */
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
