/**
 * The vocabulary of names: what whoever starts a terminal may call it by, instead of its id; how a name is told from an
 * id, and which terminal one means. Nothing here knows a door or the engine.
 */
import { z } from 'zod';

/** An id may be shortened to so many characters. Fewer would name another terminal tomorrow. */
export const MIN_ID_PREFIX = 4;

const NAME = new RegExp(`^(?![0-9a-f-]{${MIN_ID_PREFIX},}$|[0-9]+$)[a-z0-9][a-z0-9._-]{0,63}$`);
/** What may be an id, the beginning of one, or the number of a terminal, is no name. */
export const terminalName = z.string().regex(NAME, {
  error:
    '1 to 64 lower-case letters, digits, ., _ or -, the first of them a letter or a digit; not digits alone, and not four or ' +
    'more hex digits and dashes alone, as ids are',
});

/** Whether a terminal may be called so; if not, it is an id or nothing. */
export function isName(given: string): boolean {
  return terminalName.safeParse(given).success;
}

/** A terminal that may have a name, as lists show it. */
export interface Named {
  readonly id: string;
  /** `active`: it runs. */
  readonly status: string;
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
