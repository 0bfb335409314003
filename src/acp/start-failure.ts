/** Explains to a person why an agent's program could not be started. Starts nothing itself. */
import { isAbsolute, resolve } from 'node:path';
import { sanitizeLine } from './sanitize.js';

/**
 * Describes the failure.
 *
 * @param cwd - The directory that the program should have started in. Relative paths are resolved against it.
 */
export function describeStartFailure(file: string, cwd: string, { code, message }: NodeJS.ErrnoException): string {
  const isRelative = file.includes('/') && !isAbsolute(file);
  const place = isRelative ? ` (looked for at ${sanitizeLine(resolve(cwd, file))})` : '';
  const why = { ENOENT: `program not found${place}`, EACCES: 'it is not executable' }[code ?? ''] ?? message;
  return `The agent ${sanitizeLine(file)} cannot be started: ${why}.`;
}
