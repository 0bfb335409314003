/**
 * Encodes and decodes the cursor of a watch over several hosts: the position in each host's log, as one string that
 * never needs quoting. Pure.
 */

/** The maximum length that `watch` accepts, enough for about 200 hosts. */
const MAX_CHARS = 4096;
const BETWEEN_HOSTS = '~';
const PART = /^(\d{1,6})\.([\w.-]+)$/;
const NO_HOSTS = 'none';
/**
 * Returned when the cursor would exceed `MAX_CHARS`. Deliberately not a valid cursor: a watch cannot resume from it, so
 * the caller is told to reread the state.
 */
const TOO_MANY_HOSTS = 'too-many';

/** @param positions - The cursor of each host's log, by slot. */
export function encodeCursor(positions: ReadonlyMap<number, string>): string {
  const text = [...positions].map(([slot, cursor]) => `${slot}.${cursor}`).join(BETWEEN_HOSTS);
  if (text === '') return NO_HOSTS;
  return text.length <= MAX_CHARS ? text : TOO_MANY_HOSTS;
}

/** Parses a cursor; returns null if it is malformed. */
export function decodeCursor(text: string): Map<number, string> | null {
  if (text === NO_HOSTS) return new Map();
  const parts = text.split(BETWEEN_HOSTS).map((part) => PART.exec(part));
  if (parts.some((part) => part === null)) return null;
  return new Map(parts.map((part) => [Number(part![1]), part![2]!]));
}
