/**
 * Tests that not every machine can run: elsewhere they are skipped, with a message on stderr that says which and why.
 */
import { relative } from 'node:path';

/** Declares such tests. */
export interface ConditionalTests {
  readonly it: typeof it;
  readonly describe: typeof describe;
}

/** @param wanted - What the tests require of the machine, as words after "wants". */
export function where(isMet: boolean, wanted: string): ConditionalTests {
  if (isMet) return { it, describe };
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  process.stderr.write(`Some tests of ${file} are skipped: it wants ${wanted}.\n`);
  return { it: it.skip, describe: describe.skip };
}

export const whereLinux = (): ConditionalTests => where(process.platform === 'linux', 'Linux');
export const whereRoot = (): ConditionalTests => where(process.getuid?.() === 0, 'root');
