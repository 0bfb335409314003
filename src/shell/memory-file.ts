/**
 * Texts that programs of the same user read by a path, and that lie on no disk: files without a name in a file system
 * that is memory, reached through this process. It knows no shell.
 */
import { constants, openSync, statfsSync, statSync } from 'node:fs';

const MEMORY = '/dev/shm';
/** Of a file system that is memory (`TMPFS_MAGIC`). */
const TMPFS = 0x01021994;
/** Has the kernel make a file without a name; the same number on all machines beside `O_DIRECTORY`. */
const WITHOUT_NAME = 0o20000000 | constants.O_DIRECTORY;
const FILE_MODE = 0o600;

/** Where programs find an open file of this process. */
export function pathOf(fd: number): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

/** Opens an empty one, to read and write; null where there is nothing of the kind, as on macOS. */
export function openMemoryFile(): number | null {
  return isThere() ? openSync(MEMORY, constants.O_RDWR | WITHOUT_NAME, FILE_MODE) : null;
}

/** Where the kernel hides a process from its own user, nobody else finds its files. */
function isThere(): boolean {
  try {
    return statfsSync(MEMORY).type === TMPFS && statSync(`/proc/${process.pid}`).uid === process.geteuid?.();
  } catch {
    return false;
  }
}
