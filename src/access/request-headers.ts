/** Returns header values as received. Node's own `headers` drops or joins repeated headers. */
import type { IncomingMessage } from 'node:http';

/**
 * Header of every request that a hook sends. A hook runs on behalf of whoever created it, so such a request is not
 * trusted as local.
 */
export const HOOK_HEADER = 'x-tenacitty-hook';

/** Returns all values of one header, in order; `name` is in lower case. */
export function valuesOf(request: IncomingMessage, name: string): string[] {
  const { rawHeaders } = request;
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}

/**
 * Returns the elements of a header that is a list. Splitting by a pattern such as `\s*,\s*` would take quadratic time,
 * which any unauthenticated caller could exploit.
 */
export function elementsOf(header: string): string[] {
  return header.split(',').map((element) => element.trim());
}
