/** Why the program of an agent could not be started, in words for a person. It starts nothing. */
import { isAbsolute, resolve } from 'node:path';
import { harmlessLine } from './harmless.js';

/** @param cwd - Where it was to be started, and a relative path is looked up. */
export function notStartedInWords(file: string, cwd: string, { code, message }: NodeJS.ErrnoException): string {
  const isRelative = file.includes('/') && !isAbsolute(file);
  const place = isRelative ? ` (it is looked for at ${harmlessLine(resolve(cwd, file))})` : '';
  const why = { ENOENT: `there is no such program${place}`, EACCES: 'it may not be executed' }[code ?? ''] ?? message;
  return `The agent ${harmlessLine(file)} cannot be started: ${why}.`;
}
