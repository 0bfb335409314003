/**
 * Searches the histories of many terminals and, on request, their commands. Searches several terminals at a time, and
 * yields each match as soon as it is found. Uses the manager interface and does not depend on the API layer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { MAX_SEARCH_ALL_MS, type FoundItem, type SearchAllRequest, type SearchPlace } from '../contract/search-all.js';
import { managerFilter } from '../contract/terminal-filter.js';
import { TerminalError } from '../errors.js';
import { SearchQueue } from './search-queue.js';

/** Maximum number of terminals that are searched at the same time. */
export const MAX_SEARCHES_AT_ONCE = 4;
/** Time after which the search of a terminal lets others take their turn. */
const TURN_MS = 1000;
/** Maximum number of matches per terminal that are waiting to be yielded. */
const MAX_PIECE = 50;

/** A match, and the position where a search would find it again. */
interface Found {
  readonly item: FoundItem;
  readonly place: SearchPlace;
}

/** What one call has found in one terminal. */
interface Turn {
  readonly of: SearchPlace;
  readonly found: readonly Found[];
  /** Where to continue, or null if the terminal has been searched completely. */
  readonly rest: SearchPlace | null;
  /** Number of lines that were searched. */
  readonly lines: number;
  /** Why the terminal could not be searched, or null if it no longer exists. */
  readonly failure?: FoundItem | null;
}

/**
 * Yields matches in line order for each terminal, and finally `end`. Stops after `limit` matches or 30 seconds.
 * Returning from the iterator ends the search.
 *
 * @throws `INVALID_INPUT` if the expression is invalid, or `HOST_UNRESPONSIVE`, `HOST_LOST` or `HOST_FAILED` if no
 * terminals can be listed.
 */
export async function* searchAll(
  manager: TerminalManager,
  request: SearchAllRequest,
  { signal }: WaitOptions = {},
): AsyncGenerator<FoundItem> {
  const { ids, labels, status } = managerFilter(request);
  const listed = await manager.list({ labels });
  const wanted = listed.filter((one) => (ids?.includes(one.id) ?? true) && (status ?? one.status) === one.status);
  const queue = new SearchQueue(wanted, { command: request.commands ? 0 : null, line: 0 }, request.after);
  yield* new SearchOfAll(manager, request, queue).items(signal);
}

class SearchOfAll {
  readonly #manager: TerminalManager;
  readonly #request: SearchAllRequest;
  readonly #queue: SearchQueue;
  /** Running searches, keyed by the position where each one continues. */
  readonly #running = new Map<SearchPlace, Promise<Turn>>();
  #searched = 0;
  #matches = 0;

  constructor(manager: TerminalManager, request: SearchAllRequest, queue: SearchQueue) {
    this.#manager = manager;
    this.#request = request;
    this.#queue = queue;
  }

  async *items(given?: AbortSignal): AsyncGenerator<FoundItem> {
    const leaving = new AbortController();
    const signal = given === undefined ? leaving.signal : AbortSignal.any([given, leaving.signal]);
    const timeUp = pause(MAX_SEARCH_ALL_MS, null, { signal }).catch(() => null);
    try {
      while (this.#matches < this.#request.limit && this.#begin(signal)) {
        const turn = await Promise.race([timeUp, ...this.#running.values()]);
        if (turn === null) break;
        yield* this.#take(turn);
      }
    } finally {
      leaving.abort();
    }
    for (const place of this.#running.keys()) this.#queue.putBack(place);
    yield { type: 'end', searched: this.#searched, matches: this.#matches, next: this.#queue.next };
  }

  /** Starts as many searches as possible. Returns whether any search is running. */
  #begin(signal: AbortSignal): boolean {
    while (this.#running.size < MAX_SEARCHES_AT_ONCE) {
      const place = this.#queue.take();
      if (place === undefined) break;
      this.#running.set(place, this.#turn(place, signal));
    }
    return this.#running.size > 0;
  }

  *#take({ of, found, rest, lines, failure }: Turn): Generator<FoundItem> {
    this.#running.delete(of);
    for (const { item, place } of found) {
      if (this.#matches === this.#request.limit) return this.#queue.putBack(place);
      this.#matches++;
      yield item;
    }
    if (rest !== null) this.#queue.putBack(rest);
    else if (failure === undefined) this.#searched++;
    else if (failure !== null) yield failure;
    if (this.#request.progress && failure === undefined)
      yield { type: 'progress', terminalId: of.id, lines, isComplete: rest === null };
  }

  async #turn(place: SearchPlace, signal: AbortSignal): Promise<Turn> {
    try {
      return await (place.command === null ? this.#searchLines(place, signal) : this.#searchCommands(place));
    } catch (error) {
      return { of: place, found: [], rest: null, lines: 0, failure: failureOf(place.id, error) };
    }
  }

  async #searchLines(place: SearchPlace, signal: AbortSignal): Promise<Turn> {
    const { id, line: fromLine } = place;
    const { contextLines } = this.#request;
    const end = AbortSignal.any([signal, AbortSignal.timeout(TURN_MS)]);
    const wanted = { ...this.#pattern, contextLines, fromLine, maxMatches: MAX_PIECE };
    const { matches, hasMore, nextFromLine, droppedLines } = await this.#manager.search(id, wanted, { signal: end });
    return {
      of: place,
      lines: Math.max(0, nextFromLine - fromLine - droppedLines),
      found: matches.map((match) => ({
        item: { type: 'match', terminalId: id, ...match },
        place: { ...place, line: match.line },
      })),
      rest: hasMore ? { ...place, line: nextFromLine } : null,
    };
  }

  async #searchCommands(place: SearchPlace): Promise<Turn> {
    const { id, command: after } = place;
    const commands = await this.#manager.commands(id, { ...this.#pattern, after: after ?? 0, limit: MAX_PIECE });
    const isMore = commands.length === MAX_PIECE;
    return {
      of: place,
      lines: 0,
      found: commands.map((command) => ({
        item: { type: 'command', terminalId: id, command },
        place: { ...place, command: command.commandId - 1 },
      })),
      rest: { ...place, command: isMore ? commands.at(-1)!.commandId : null },
    };
  }

  get #pattern(): Pick<SearchAllRequest, 'text' | 'regex' | 'ignoreCase'> {
    const { text, regex, ignoreCase } = this.#request;
    return { text, regex, ignoreCase };
  }
}

/** Returns what to report for a terminal. @throws The error itself if it does not concern only this terminal. */
function failureOf(terminalId: string, error: unknown): FoundItem | null {
  if (!(error instanceof TerminalError) || error.code === 'INVALID_INPUT') throw error;
  if (error.code === 'TERMINAL_NOT_FOUND') return null;
  return { type: 'skipped', terminalId, code: error.code, message: error.message };
}
