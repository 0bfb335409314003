/**
 * Opens folders in the data directory whose files grant access: sign-ins and sign-in codes. Rejects a folder that
 * another user could have written to.
 */
import { createHash } from 'node:crypto';
import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { privacyProblem, writersProblem } from '../data-directory.js';
import { makeDirectory } from '../directory.js';
import { TerminalError } from '../errors.js';

/**
 * Returns the path of the folder, which is created if it is missing. @throws `INVALID_INPUT` if other users could have
 * written to it.
 */
export function privateFolder(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  makeDirectory(path);
  const uid = process.getuid?.() ?? 0;
  const problem = privacyProblem(lstatSync(path), uid, path) ?? writersProblem(statSync(dataDir), uid, dataDir);
  if (problem !== null) throw new TerminalError('INVALID_INPUT', `${path} cannot be used: ${problem}`);
  return path;
}

/** Returns the hash that is stored in place of a secret. Secrets are random, so a fast hash is sufficient. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
