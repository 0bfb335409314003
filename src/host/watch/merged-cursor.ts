/**
 * The cursor of a watch over several hosts: the position in each host's log, as one text that needs no quoting
 * anywhere. Pure.
 */

/** The maximum length that `watch` accepts, enough for about 200 hosts. */
const MAX_CHARS = 4096;
const BETWEEN_HOSTS = '~';
const PART = /^(\d{1,6})\.([\w.-]+)$/;
const NO_HOSTS = 'none';
/**
 * With more hosts, a watch cannot be continued: this is not a valid cursor, so the caller is told to read the state
 * again.
 */
const TOO_MANY_HOSTS = 'too-many';

/** @param positions - The cursor of each host's log, by slot. */
export function encodeCursor(positions: ReadonlyMap<number, string>): string {
  const text = [...positions].map(([slot, cursor]) => `${slot}.${cursor}`).join(BETWEEN_HOSTS);
  if (text === '') return NO_HOSTS;
  return text.length <= MAX_CHARS ? text : TOO_MANY_HOSTS;
}

/** Returns null if the text is not such a cursor. */
export function decodeCursor(text: string): Map<number, string> | null {
  if (text === NO_HOSTS) return new Map();
  const parts = text.split(BETWEEN_HOSTS).map((part) => PART.exec(part));
  if (parts.some((part) => part === null)) return null;
  return new Map(parts.map((part) => [Number(part![1]), part![2]!]));
}
