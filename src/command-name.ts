/**
 * Determines the command that runs this installation of tenacitty, for hints. In a clone that is not linked, there is
 * no `tenacitty` command.
 */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { CODE } from './package-paths.js';
import { searchPath } from './search-path.js';

const NAME = 'tenacitty';
const MAIN = join(CODE, 'cli', 'main.js');
/** Characters that need no shell quoting. */
const PLAIN = /^[\w@%+:,./-]+$/;

/**
 * Returns `tenacitty` if PATH resolves it to this program, and otherwise Node with the program's file. @param main -
 * The program.
 */
export function commandName(
  env: Readonly<Record<string, string | undefined>> = process.env,
  main: string = MAIN,
): string {
  if (!existsSync(main) || isFound(main, searchPath(env) ?? '')) return NAME;
  return `node ${PLAIN.test(main) ? main : `'${main.replaceAll("'", `'\\''`)}'`}`;
}

/**
 * Returns whether PATH leads to this program. Only the first match counts: another installation may have different
 * terminals and a different version.
 */
function isFound(main: string, path: string): boolean {
  const places = path.split(delimiter).filter(isAbsolute);
  const first = places.map((place) => join(place, NAME)).find((file) => existsSync(file));
  return first !== undefined && realpathSync(first) === realpathSync(main);
}
