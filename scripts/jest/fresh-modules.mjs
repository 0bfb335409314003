/**
 * A hook of Node's module loader: each test file gets modules of tests of its own, because they register hooks of Jest
 * and hold what one file shares. The file's number is in the query of their URLs.
 */
const TESTS = /\/test\/(?!.*\/node_modules\/).*\.ts$/;

export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  const file = context.parentURL && new URL(context.parentURL).searchParams.get('file');
  if (!file) return resolved;
  const url = new URL(resolved.url);
  if (!TESTS.test(url.pathname)) return resolved;
  url.searchParams.set('file', file);
  return { ...resolved, url: url.href };
}
