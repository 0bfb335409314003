/** What a person types to call this very tenacitty, for hints: in a clone that is not linked there is no command of that name. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { searchPath } from './search-path.js';

const NAME = 'tenacitty';
const MAIN = decodeURIComponent(new URL('./cli/main.js', import.meta.url).pathname);
/** What no shell takes for more than it is. */
const PLAIN = /^[\w@%+:,./-]+$/;

/** `tenacitty` where PATH leads from there to this program, else Node with its file. @param main - The program. */
export function commandName(
  env: Readonly<Record<string, string | undefined>> = process.env,
  main: string = MAIN,
): string {
  if (!existsSync(main) || isFound(main, searchPath(env) ?? '')) return NAME;
  return `node ${PLAIN.test(main) ? main : `'${main.replaceAll("'", `'\\''`)}'`}`;
}

/** Only the first of the name counts: another installation's has other terminals, maybe, and another version. */
function isFound(main: string, path: string): boolean {
  const places = path.split(delimiter).filter(isAbsolute);
  const first = places.map((place) => join(place, NAME)).find((file) => existsSync(file));
  return first !== undefined && realpathSync(first) === realpathSync(main);
}
