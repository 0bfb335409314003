/** How much a test run covers: everything once (`npm test`), or exhaustively (`npm run test:deep`). */

/** Set by `npm run test:deep`. */
export const DEEP = process.env['DEEP'] === '1';

/** Returns how often a case is repeated. */
export function runs({ normal, deep }: { readonly normal: number; readonly deep: number }): number {
  return DEEP ? deep : normal;
}
