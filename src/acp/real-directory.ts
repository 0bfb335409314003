/**
 * Resolves a directory to a path that means the same in other processes, so that a command starts in exactly the
 * directory that was checked here. Starts nothing itself.
 */
import { realpathSync, statSync } from 'node:fs';
import { invalidInput } from '../errors.js';

const ABSENCE = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/**
 * Resolves symbolic links, because `/proc/self` leads to a different directory in each process.
 *
 * @param cwd - An absolute path.
 * @throws `INVALID_INPUT` if it does not exist, is not a directory, or is not accessible.
 */
export function realDirectory(cwd: string): string {
  const real = realPath(cwd);
  if (!statSync(real, { throwIfNoEntry: false })?.isDirectory()) throw refused(cwd, 'is not a directory');
  return real;
}

function realPath(cwd: string): string {
  try {
    return realpathSync.native(cwd);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw refused(cwd, ABSENCE.includes(code) ? 'does not exist' : `cannot be accessed (${code})`);
  }
}

function refused(given: string, what: string) {
  const expected = 'the absolute path of an accessible directory';
  return invalidInput({ field: 'cwd', message: `${JSON.stringify(given)} ${what}`, given, expected });
}
