/**
 * Creates and redeems one-time codes for signing in to the page. Each code is a file (0600) in the data directory's
 * `sign-in-codes` folder, named by the code's hash. Only the server's user can create files there, so `tenacitty open`
 * needs neither a URL nor a key. Only one of several concurrent readers can delete a file, so a code works once.
 */
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, privateFolder } from './private-folder.js';

/** Without characters that look alike: 0 and O, 1, I and L, U and V. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const HALF = 4;
const FOLDER = 'sign-in-codes';
const FILE = /^[0-9a-f]{64}$/;

/**
 * Creates a code such as `7KQ2-MXRA`.
 *
 * @throws The system's error, or `INVALID_INPUT`, if it cannot be stored.
 */
export function createCode(dataDir: string, validMs: number): string {
  const folder = privateFolder(dataDir, FOLDER);
  removeExpired(folder);
  const half = () => Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const code = `${half()}-${half()}`;
  writeFileSync(pathOf(folder, code), String(Date.now() + validMs), { mode: 0o600, flag: 'wx' });
  return code;
}

/** Uses a code up. Returns whether it was valid: of several calls with one code, at most one gets true. */
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

/** Returns the path of a code's file; ignores dashes, blanks and case. */
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
