/**
 * Creates files that are in memory, not on disk, and that the same user's programs can read by a path: unnamed files on
 * a tmpfs, accessed through this process.
 */
import { constants, openSync, statfsSync, statSync } from 'node:fs';

const MEMORY = '/dev/shm';
/** `TMPFS_MAGIC`: the type of a tmpfs. */
const TMPFS = 0x01021994;
/**
 * `O_TMPFILE`: makes the kernel create an unnamed file; apart from `O_DIRECTORY`, the value is the same on all
 * architectures that Node.js supports.
 */
const WITHOUT_NAME = 0o20000000 | constants.O_DIRECTORY;
const FILE_MODE = 0o600;

/** Returns the path that gives other programs access to a file that this process has open. */
export function pathOf(fd: number): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

/** Opens an empty file for reading and writing; returns null if that is not supported, as on macOS. */
export function openMemoryFile(): number | null {
  return isThere() ? openSync(MEMORY, constants.O_RDWR | WITHOUT_NAME, FILE_MODE) : null;
}

/**
 * Returns whether other processes can access such files. They cannot if the kernel hides a process from its own user.
 */
function isThere(): boolean {
  try {
    return statfsSync(MEMORY).type === TMPFS && statSync(`/proc/${process.pid}`).uid === process.geteuid?.();
  } catch {
    return false;
  }
}
