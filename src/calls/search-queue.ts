/**
 * Tracks which terminals a search has not finished, and where it continues in each of them. Terminals whose search has
 * not begun come first, so that a long history does not delay them. Can be saved as a string and continued later.
 */
import { check } from '../check.js';
import { searchPosition, type SearchPlace, type SearchPosition } from '../contract/search-all.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { invalidInput } from '../errors.js';

/** Maximum number of terminals whose search is interrupted, so that the string remains short enough for a URL. */
const MAX_BEGUN = 32;

type Listed = Pick<TerminalSummary, 'id' | 'created'>;

export class SearchQueue {
  /** Oldest first. */
  readonly #fresh: Listed[];
  readonly #begun: SearchPlace[];
  readonly #start: Omit<SearchPlace, 'id'>;
  #last: SearchPosition['last'];

  /**
   * @param start - Where to start in each terminal.
   * @param after - What `next` of an earlier queue returned.
   * @throws `INVALID_INPUT` if `after` is any other string.
   */
  constructor(terminals: readonly Listed[], start: Omit<SearchPlace, 'id'>, after?: string) {
    const { begun, last } = after === undefined ? { begun: [], last: null } : positionIn(after);
    const existing = new Set(terminals.map(({ id }) => id));
    this.#start = start;
    this.#last = last;
    this.#fresh = terminals.filter((one) => last === null || isAfter(one, last)).sort(compare);
    this.#begun = begun.filter(({ id }) => existing.has(id));
  }

  /** Removes a terminal from the queue and returns it, or undefined if the queue is empty. */
  take(): SearchPlace | undefined {
    const next = this.#begun.length < MAX_BEGUN ? this.#fresh.shift() : undefined;
    if (next === undefined) return this.#begun.shift();
    this.#last = { created: next.created, id: next.id };
    return { id: next.id, ...this.#start };
  }

  /** Puts back a terminal whose search is not complete. */
  putBack(place: SearchPlace): void {
    this.#begun.push(place);
  }

  /** The position of the search as a string, or null if nothing is left to search. */
  get next(): string | null {
    if (this.#begun.length === 0 && this.#fresh.length === 0) return null;
    const position: SearchPosition = { begun: this.#begun, last: this.#last };
    return Buffer.from(JSON.stringify(position)).toString('base64url');
  }
}

function compare(a: Listed, b: Listed): number {
  return isAfter(a, b) ? 1 : -1;
}

function isAfter(one: Listed, other: Listed): boolean {
  return one.created === other.created ? one.id > other.id : one.created > other.created;
}

function positionIn(after: string): SearchPosition {
  try {
    return check('', searchPosition, JSON.parse(Buffer.from(after, 'base64url').toString()));
  } catch {
    const message = 'is not a position of a search';
    throw invalidInput({ field: 'after', message, given: after.slice(0, 80), expected: 'the `next` of a search' });
  }
}
