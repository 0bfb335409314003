/** Returns header values as received. Node's own `headers` drops or joins repeated headers. */
import type { IncomingMessage } from 'node:http';

/** Sent with the requests of hooks: a hook sends them on behalf of whoever created it. */
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
 * Returns the elements of a header that is a list. A pattern such as `\s*,\s*` would take quadratic time, which any
 * stranger could cause.
 */
export function elementsOf(header: string): string[] {
  return header.split(',').map((element) => element.trim());
}
