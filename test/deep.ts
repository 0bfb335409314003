/** How much a test run tries: everything once (`npm test`), or all there is (`npm run test:deep`). */

/** Set by `npm run test:deep`. */
export const DEEP = process.env['DEEP'] === '1';

/** How often a case is repeated. */
export function runs({ normal, deep }: { readonly normal: number; readonly deep: number }): number {
  return DEEP ? deep : normal;
}
