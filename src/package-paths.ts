/**
 * Locates this package and its code. The build bundles modules into a few files, so a module cannot look for a file
 * next to itself.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The directory of package.json. */
export const PACKAGE = packageAbove(import.meta.dirname);
/** The directory of the code: `dist` in an installation, or `src` if the sources are run directly. */
export const CODE = join(PACKAGE, relative(PACKAGE, import.meta.dirname).split(sep, 1)[0]!);

function packageAbove(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory;
  if (directory === dirname(directory)) throw new Error(`No package.json above ${import.meta.dirname}`);
  return packageAbove(dirname(directory));
}
