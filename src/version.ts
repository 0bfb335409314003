/** The version of this package, as its package.json has it. */
import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

export const VERSION = (JSON.parse(manifest) as { version: string }).version;

/** Whether one version is newer than the other; by its numbers alone. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && a[at]! > (b[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split('-', 1)[0]!.split('.').map(Number);
}
