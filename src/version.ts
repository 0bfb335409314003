/** Reads the version from this package's package.json, and compares versions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from './package-paths.js';

const manifest = readFileSync(join(PACKAGE, 'package.json'), 'utf8');

export const VERSION = (JSON.parse(manifest) as { version: string }).version;

/** Returns whether `version` is newer than `than`. Compares only the numbers. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && a[at]! > (b[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split('-', 1)[0]!.split('.').map(Number);
}
