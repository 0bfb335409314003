/** Creates and redeems one-time codes for signing in to the page. People can read them aloud and type them. */
import { randomInt } from 'node:crypto';
import { OneTimeCodes } from './one-time-codes.js';

/** Omits characters that look alike: 0 and O; 1, I and L; and U, which looks like V. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const HALF = 4;
const FOLDER = 'sign-in-codes';

/**
 * Creates a code such as `7KQ2-MXRA`.
 *
 * @throws The system's error if the code cannot be stored; `INVALID_INPUT` if other users could have written to the
 * folder.
 */
export function createCode(dataDir: string, validMs: number): string {
  const half = () => Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const code = `${half()}-${half()}`;
  new OneTimeCodes(dataDir, FOLDER).create(plainCode(code), validMs);
  return code;
}

/** Consumes a code and returns whether it was valid. Of several calls with the same code, at most one returns true. */
export function redeemCode(dataDir: string, code: string): boolean {
  return new OneTimeCodes(dataDir, FOLDER).use(plainCode(code)) !== undefined;
}

/** Ignores a code's dashes, blanks and case. */
function plainCode(code: string): string {
  return code.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
}
