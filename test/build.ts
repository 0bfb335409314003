/** The build whose commands and hosts the tests start. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** `dist`, or in a complete deep run a build whose processes report coverage (scripts/coverage.mjs). */
export const BUILD = process.env['BUILD_UNDER_TEST'] ?? join(import.meta.dirname, '..', 'dist');

/** The address of a module of the build. */
export const builtUrl = (name: string): string => pathToFileURL(join(BUILD, name)).href;

/** Returns the sources of a compiled script, from its source map; the script itself if it has none. */
export function sourcesOf(script: string): string[] {
  if (!existsSync(`${script}.map`)) return [script];
  const { sources } = JSON.parse(readFileSync(`${script}.map`, 'utf8')) as { sources: string[] };
  return sources.map((source) => join(dirname(script), source));
}

/** Returns the file with the code that a started file runs: the bundle beside it, or itself. */
export function codeOf(main: string): string {
  const bundle = main.replace(/\.js$/, '.cjs');
  return existsSync(bundle) ? bundle : main;
}
