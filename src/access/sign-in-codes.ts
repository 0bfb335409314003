/**
 * Creates and redeems one-time codes for signing in to the page. Each code is a file (0600) in the data directory's
 * `sign-in-codes` folder, named by the code's hash. Only the server's user can create files there, so `tenacitty open`
 * needs no key. Of several concurrent readers, only one can delete the file, so a code works only once.
 */
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, privateFolder } from './private-folder.js';

/** Omits characters that look alike: 0 and O; 1, I and L; and U, which looks like V. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const HALF = 4;
const FOLDER = 'sign-in-codes';
const FILE = /^[0-9a-f]{64}$/;

/**
 * Creates a code such as `7KQ2-MXRA`.
 *
 * @throws The system's error if the code cannot be stored; `INVALID_INPUT` if other users could have written to the
 * folder.
 */
export function createCode(dataDir: string, validMs: number): string {
  const folder = privateFolder(dataDir, FOLDER);
  removeExpired(folder);
  const half = () => Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const code = `${half()}-${half()}`;
  writeFileSync(pathOf(folder, code), String(Date.now() + validMs), { mode: 0o600, flag: 'wx' });
  return code;
}

/** Consumes a code and returns whether it was valid. Of several calls with the same code, at most one returns true. */
export function redeemCode(dataDir: string, code: string): boolean {
  const path = pathOf(privateFolder(dataDir, FOLDER), code);
  try {
    const expires = Number(readFileSync(path, 'utf8'));
    unlinkSync(path);
    return Date.now() < expires;
  } catch {
    return false;
  }
}

/** Returns the path of a code's file. Ignores the code's dashes, blanks and case. */
function pathOf(folder: string, code: string): string {
  return join(folder, hashOf(code.replace(/[^A-Za-z0-9]/g, '').toUpperCase()));
}

function removeExpired(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => FILE.test(each))) {
    const path = join(folder, name);
    if (expiryIn(path) <= Date.now()) rmSync(path, { force: true });
  }
}

/** Returns when a code expires; Infinity for a file that another process is writing or has just removed. */
function expiryIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8') || Infinity);
  } catch {
    return Infinity;
  }
}
