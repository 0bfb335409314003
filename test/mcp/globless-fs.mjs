/**
 * Lets the conformance suite start on Node 20: it imports a function of `fs` that only later versions have, and that
 * the scenarios for servers do not use.
 */
import { register } from 'node:module';

const FS = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const asModule = (source) => `data:text/javascript,${encodeURIComponent(source)}`;

register(
  asModule(`
export async function resolve(specifier, context, next) {
  const isMeant = specifier === 'fs' && context.parentURL?.includes('@modelcontextprotocol/conformance/');
  return isMeant ? { url: ${JSON.stringify(asModule(FS))}, shortCircuit: true } : next(specifier, context);
}`),
);
