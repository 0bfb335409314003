/** Opens files to read them, without blocking the process. */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

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
