/**
 * The search path for programs, shared by the code that starts a program and the code that decides whether it may
 * start. Pure.
 */

/** Returns the user's PATH, without the entries that npm prepends if npm started the process. */
export function searchPath(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { PATH } = env;
  const isUnderNpm = Object.keys(env).some((name) => name.startsWith('npm_'));
  return isUnderNpm && PATH !== undefined ? withoutNpmEntries(PATH) : PATH;
}

/** Removes the entries that npm prepends; the user's own start at the first other entry. */
function withoutNpmEntries(path: string): string {
  const entries = path.split(':');
  const first = entries.findIndex((entry) => !/\/node_modules\/\.bin$|\/node-gyp-bin$/.test(entry));
  return first === -1 ? path : entries.slice(first).join(':');
}
