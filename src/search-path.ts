/**
 * Where programs are looked for by their names: the same for whoever starts one and whoever judges whether it may be. It
 * knows neither. Pure.
 */

/** The PATH of an environment as a person has it: without what npm puts in front of it where npm started the process. */
export function searchPath(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { PATH } = env;
  const isUnderNpm = Object.keys(env).some((name) => name.startsWith('npm_'));
  return isUnderNpm && PATH !== undefined ? withoutNpmEntries(PATH) : PATH;
}

/** npm puts its own in front; what a person has put in their PATH stands behind the first other entry. */
function withoutNpmEntries(path: string): string {
  const entries = path.split(':');
  const first = entries.findIndex((entry) => !/\/node_modules\/\.bin$|\/node-gyp-bin$/.test(entry));
  return first === -1 ? path : entries.slice(first).join(':');
}
