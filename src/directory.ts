/**
 * A directory made with all that is missing above it. Node's own way tries for ever where a file system takes no
 * directory (as /proc); this one says so. It knows nothing of what the directory is for.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE = 0o700;

/**
 * Makes what is missing, mode 0700. A link to a directory counts as one.
 *
 * @throws The system's error, where a part cannot be made or is something else.
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: PRIVATE });
  } catch (error) {
    // Somebody else may have made it at the same time.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
