/**
 * Creates a directory and its missing parents. Unlike Node's recursive `mkdir`, which loops forever on a file system
 * that does not allow directories (such as /proc), this fails there.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE = 0o700;

/**
 * Creates missing directories with mode 0700. A link to a directory counts as a directory.
 *
 * @throws The system's error if a part of the path cannot be created or is not a directory.
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: PRIVATE });
  } catch (error) {
    // Another process may have created it at the same time.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
