/**
 * Which directory a path means, in this process: one that other processes take for the same, so that what was checked here
 * is where a command starts. It starts nothing.
 */
import { realpathSync, statSync } from 'node:fs';
import { invalidInput } from '../errors.js';

const ABSENCE = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/**
 * The directory without links: what `/proc/self` leads to is another one for each process.
 *
 * @param cwd - Absolute.
 * @throws `INVALID_INPUT` if it is not there, no directory, or out of reach.
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
    throw refused(cwd, ABSENCE.includes(code) ? 'does not exist' : `cannot be entered (${code})`);
  }
}

function refused(given: string, what: string) {
  const expected = 'the full path of a directory that can be entered';
  return invalidInput({ field: 'cwd', message: `${JSON.stringify(given)} ${what}`, given, expected });
}
