/**
 * Defines the schemas for terminal names, which can be used instead of an id. Distinguishes a name from an id, and
 * determines which terminal a name refers to.
 */
import { z } from 'zod';

/** Minimum length of an abbreviated id. A shorter prefix would soon match several terminals. */
export const MIN_ID_PREFIX = 4;

const NAME = new RegExp(`^(?![0-9a-f-]{${MIN_ID_PREFIX},}$|[0-9]+$)[a-z0-9][a-z0-9._-]{0,63}$`);
/** A name must not look like an id, a prefix of one, or the number of a terminal. */
export const terminalName = z.string().regex(NAME, {
  error:
    '1 to 64 lower-case letters, digits, ., _ or -, beginning with a letter or a digit; neither only digits nor, ' +
    'like an id, only four or more hex digits and dashes',
});

/** Returns whether the text is a valid name. If not, it can only be an id. */
export function isName(given: string): boolean {
  return terminalName.safeParse(given).success;
}

/** A terminal as lists show it; it may have a name. */
export interface NamedTerminal {
  readonly id: string;
  /** `active`: running. */
  readonly status: string;
  /** ISO 8601. */
  readonly created: string;
}

/**
 * Returns the terminal that a shared name or number refers to: the oldest running one, so that all callers agree, or
 * otherwise the newest.
 */
export function currentOf<Terminal extends NamedTerminal>(terminals: readonly Terminal[]): Terminal | undefined {
  const byAge = [...terminals].sort((a, b) => compare(a.created, b.created) || compare(a.id, b.id));
  return byAge.find(({ status }) => status === 'active') ?? byAge.at(-1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
