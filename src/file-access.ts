/** Opens files without blocking the process, and checks whether a file can be executed. */
import { accessSync, closeSync, constants, fstatSync, openSync, statSync, type Stats } from 'node:fs';

/**
 * Opens a file for the time of a call. Non-blocking: if the file has been replaced by a pipe, opening it would
 * otherwise block the process. `use` must check that it is a regular file before it reads.
 *
 * @param flags - Further flags, such as `O_NOFOLLOW`.
 * @throws The system's error if the file cannot be opened.
 */
export function withFile<Result>(path: string, use: (file: number, stats: Stats) => Result, flags = 0): Result {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    return use(file, fstatSync(file));
  } finally {
    closeSync(file);
  }
}

/** Returns whether the path leads to a regular file that this user has permission to execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // It is missing or not executable. Either way, it cannot be started.
    return false;
  }
}
