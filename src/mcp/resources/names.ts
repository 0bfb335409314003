/**
 * Defines the names of terminals as resources: `terminal://0` is the screen, `terminal://0/output` the output. Pure.
 */

/** URI templates as in RFC 6570. */
export const SCREEN_TEMPLATE = 'terminal://{terminal}';
export const OUTPUT_TEMPLATE = 'terminal://{terminal}/output';

export const screenUri = (number: number) => `terminal://${number}`;
export const outputUri = (number: number) => `terminal://${number}/output`;

/** Returns the number of a resource's terminal; undefined if the URI is not one of ours. */
export function numberOfUri(uri: string): number | undefined {
  const [, digits] = /^terminal:\/\/(0|[1-9]\d{0,9})(?:\/output)?\/?$/.exec(uri) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
