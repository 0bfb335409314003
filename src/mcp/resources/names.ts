/**
 * Defines the URIs of terminals as resources: `terminal://0` is the screen, and `terminal://0/output` is the output.
 * Pure.
 */

/** URI templates according to RFC 6570. */
export const SCREEN_TEMPLATE = 'terminal://{terminal}';
export const OUTPUT_TEMPLATE = 'terminal://{terminal}/output';

export const screenUri = (number: number) => `terminal://${number}`;
export const outputUri = (number: number) => `terminal://${number}/output`;

/** Returns the number of the terminal that a URI refers to, or undefined if the URI is not one of ours. */
export function numberOfUri(uri: string): number | undefined {
  const [, digits] = /^terminal:\/\/(0|[1-9]\d{0,9})(?:\/output)?\/?$/.exec(uri) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
