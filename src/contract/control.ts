/**
 * Defines the schemas for holding a terminal: while one caller holds it, only that caller can type, run commands and
 * resize.
 */
import { z } from 'zod';

/** How long a hold lasts after the last call of its holder. */
export const DEFAULT_HOLD_MS = 60_000;

export const MAX_NAME_CHARS = 64;
/** A name that is shown to people, including in terminals: no control or invisible characters. */
export const shownName = z
  .string()
  .min(1)
  .max(MAX_NAME_CHARS)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'expected visible characters and blanks only');

export const holder = z
  .strictObject({
    name: z.string().describe('The name that the holder gave itself; shown to people, not verified.'),
    since: z.iso.datetime(),
  })
  .nullable()
  .describe('The caller that holds the terminal; null if it is not held.');
export type Holder = z.infer<typeof holder>;

export const controlTerminal = z.strictObject({
  action: z
    .enum(['take', 'renew', 'release'])
    .describe(
      '`take`: hold the terminal, even if another caller holds it. `renew`: keep holding it. `release`: hand it back.',
    ),
  name: shownName.optional().describe('Name to show to others. Default: the name of the user or the key.'),
  holdMs: z
    .int()
    .min(1000)
    .max(3_600_000)
    .default(DEFAULT_HOLD_MS)
    .describe('Milliseconds after the last call with the token until the hold ends.'),
});
export type ControlTerminal = z.input<typeof controlTerminal>;
export type ControlRequest = z.output<typeof controlTerminal>;

/** How far the client of a holder has drawn the output. */
export const drawnOffset = z.int().min(0).nullable();

export const controlled = z.strictObject({
  holder,
  token: z
    .string()
    .nullable()
    .describe('The token that the holder sends with its calls, as `X-Hold`; null after `release`.'),
  expiresAt: z.iso.datetime().nullable().describe('When the hold ends unless a call renews it.'),
});
export type Controlled = z.infer<typeof controlled>;
