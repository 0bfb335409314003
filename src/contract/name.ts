/**
 * The vocabulary of names: what whoever starts a terminal may call it by, instead of its id; how a name is told from an
 * id, and which terminal one means. Nothing here knows a door or the engine.
 */
import { z } from 'zod';
import type { TerminalStatus } from './terminal.js';

/** What is written with hex digits and dashes alone is an id, or the beginning of one, and no name. */
export const terminalName = z.string().regex(/^(?![0-9a-f-]*$)[a-z0-9][a-z0-9._-]{0,63}$/, {
  error:
    '1 to 64 lower-case letters, digits, ., _ or -, the first of them a letter or a digit, and not hex digits and dashes ' +
    'alone, as ids are',
});

/** Whether a terminal may be called so; if not, it is an id or nothing. */
export function isName(given: string): boolean {
  return terminalName.safeParse(given).success;
}

/** A terminal that may have a name, as lists show it. */
export interface Named {
  readonly id: string;
  readonly status: TerminalStatus;
  /** ISO 8601. */
  readonly created: string;
}

/**
 * The one that is meant, of terminals that have one name or number: the oldest that runs, so that all who ask agree, else
 * the newest.
 */
export function currentOf<Terminal extends Named>(terminals: readonly Terminal[]): Terminal | undefined {
  const byAge = [...terminals].sort((a, b) => compare(a.created, b.created) || compare(a.id, b.id));
  return byAge.find(({ status }) => status === 'active') ?? byAge.at(-1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
