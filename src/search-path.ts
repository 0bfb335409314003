/**
 * Determines the search path for programs, for the code that starts a program and the code that decides whether it is
 * allowed to start. Pure.
 */

/** Returns the user's PATH, without the entries that npm prepends if npm started the process. */
export function searchPath(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { PATH } = env;
  const isUnderNpm = Object.keys(env).some((name) => name.startsWith('npm_'));
  return isUnderNpm && PATH !== undefined ? withoutNpmEntries(PATH) : PATH;
}

/** Removes the entries that npm prepends. The user's own entries start at the first one that is not npm's. */
function withoutNpmEntries(path: string): string {
  const entries = path.split(':');
  const first = entries.findIndex((entry) => !/\/node_modules\/\.bin$|\/node-gyp-bin$/.test(entry));
  return first === -1 ? path : entries.slice(first).join(':');
}
