/** How terminals are named as resources: `terminal://0` is a screen, `terminal://0/output` what was printed. Pure. */

/** In the form of RFC 6570. */
export const SCREEN_TEMPLATE = 'terminal://{terminal}';
export const OUTPUT_TEMPLATE = 'terminal://{terminal}/output';

export const screenUri = (number: number) => `terminal://${number}`;
export const outputUri = (number: number) => `terminal://${number}/output`;

/** The number of the terminal that a resource is of; undefined where no resource of ours has this name. */
export function numberOfUri(uri: string): number | undefined {
  const [, digits] = /^terminal:\/\/(0|[1-9]\d{0,9})(?:\/output)?\/?$/.exec(uri) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
