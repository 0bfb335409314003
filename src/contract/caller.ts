/** Defines the schemas for the caller on whose behalf a terminal was created, a command was run, or input was typed. */
import { z } from 'zod';
import { MAX_NAME_CHARS, shownName } from './control.js';

export const door = z
  .enum(['rest', 'live', 'mcp', 'acp', 'cli', 'library'])
  .describe('The interface that the call came through.');
export type Door = z.infer<typeof door>;

export const caller = z
  .strictObject({ name: shownName.describe('Name of the user, the key or the MCP client; not verified.'), door })
  .describe('The caller, as shown to people.');
export type Caller = z.infer<typeof caller>;

/** The characters that `shownName` does not accept. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a caller with the first of these names that is not blank once undisplayable characters are removed, or
 * `unknown` if there is none. Never rejects a name: some clients choose their own, and a bad one must not make their
 * calls fail.
 */
export function callerOf(door: Door, ...names: readonly (string | undefined)[]): Caller {
  const shown = names.map((name = '') => name.slice(0, MAX_NAME_CHARS).replace(UNSHOWN, '').trim());
  return { name: shown.find((name) => name !== '') ?? 'unknown', door };
}
