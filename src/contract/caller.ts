/** Schemas for the caller on whose behalf a terminal was created, a command was run, or input was typed. */
import { z } from 'zod';
import { MAX_NAME_CHARS, shownName } from './control.js';

export const door = z
  .enum(['rest', 'live', 'mcp', 'acp', 'cli', 'library'])
  .describe('The interface through which the call came.');
export type Door = z.infer<typeof door>;

export const caller = z
  .strictObject({ name: shownName.describe('Name of the user, the key or the MCP client; not verified.'), door })
  .describe('The caller, as shown to people.');
export type Caller = z.infer<typeof caller>;

/** The characters that `shownName` does not accept. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a caller with the first of these names that contains something to show. Accepts any name, because some
 * clients choose their own, and their calls must not fail because of it.
 */
export function callerOf(door: Door, ...names: readonly (string | undefined)[]): Caller {
  const shown = names.map((name = '') => name.slice(0, MAX_NAME_CHARS).replace(UNSHOWN, '').trim());
  return { name: shown.find((name) => name !== '') ?? 'unknown', door };
}
