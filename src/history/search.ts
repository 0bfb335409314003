/**
 * Searches a history line by line, in steps, so that the caller can do other work in between. Pure; does not depend on
 * the kind of pattern or on time.
 */
import { MAX_MATCH_CHARS } from '../contract/search.js';
import type { SearchMatch, SearchRequest, SearchResult } from '../contract/search.js';
import { skipLost, nextLost, spanAt } from './spans.js';
import type { HistoryView } from './view.js';

/** Returns where a match begins in a line, or -1. */
export type LineMatcher = (line: string) => number;

/** Maximum number of lines in one step. */
const STEP_LINES = 256;
/** Number of characters before the match that are returned from a long line. */
const CHARS_BEFORE = MAX_MATCH_CHARS / 4;
/** Maximum size of a result, which the last match may exceed. */
const MAX_ANSWER_CHARS = 1 << 20;

type Limits = Pick<SearchRequest, 'fromLine' | 'toLine' | 'contextLines' | 'maxMatches'>;

export class LineSearch {
  readonly #find: LineMatcher;
  readonly #limits: Limits;
  /** The number after the last line to search. */
  #end: number;
  readonly #mutableFrom: number;
  readonly #matches: SearchMatch[] = [];
  #first: number | null = null;
  #at: number;
  #dropped = 0;
  #chars = 0;

  constructor(view: HistoryView, limits: Limits, find: LineMatcher) {
    this.#find = find;
    this.#limits = limits;
    this.#at = Math.min(limits.fromLine ?? view.clearedAt, view.total);
    this.#end = Math.max(this.#at, Math.min((limits.toLine ?? Infinity) + 1, view.total));
    this.#mutableFrom = view.mutableFrom;
  }

  /** The next line to search. */
  get at(): number {
    return this.#at;
  }

  get isOver(): boolean {
    return this.#at === this.#end || this.#isFull;
  }

  get #isFull(): boolean {
    return this.#matches.length === this.#limits.maxMatches || this.#chars > MAX_ANSWER_CHARS;
  }

  /** Searches the next lines. The view must contain all of them, except those that are no longer held. */
  step(view: HistoryView): void {
    this.#end = Math.min(this.#end, Math.max(view.total, this.#at));
    this.#passDropped(view);
    if (this.isOver) return;
    this.#first ??= this.#at;
    const to = Math.min(this.#end, this.#at + STEP_LINES, nextLost(view.lostLines, this.#at));
    for (const text of view.texts(this.#at, to)) {
      const start = this.#find(text);
      if (start >= 0) this.#add(view, text, start);
      this.#at++;
      if (this.#isFull) return;
    }
  }

  result(): SearchResult {
    return {
      matches: this.#matches,
      fromLine: this.#first ?? this.#at,
      toLine: this.#at - 1,
      hasMore: this.#at < this.#end,
      nextFromLine: this.#at,
      mutableFrom: this.#mutableFrom,
      droppedLines: this.#dropped,
    };
  }

  #passDropped({ oldest, lostLines }: HistoryView): void {
    const held = Math.min(skipLost(lostLines, Math.max(this.#at, oldest)), this.#end);
    this.#dropped += held - this.#at;
    this.#at = held;
  }

  #add(view: HistoryView, found: string, start: number): void {
    const { contextLines } = this.#limits;
    const line = this.#at;
    const before = linesBefore(view, line, contextLines);
    const after = linesBehind(view, line, contextLines);
    const truncated = [found, ...before, ...after].some(({ length }) => length > MAX_MATCH_CHARS);
    const text = partOf(found, Math.min(start - CHARS_BEFORE, found.length - MAX_MATCH_CHARS));
    const match = { line, text, before: before.map(beginningOf), after: after.map(beginningOf), truncated };
    this.#matches.push(match);
    for (const { length } of [match.text, ...match.before, ...match.after]) this.#chars += length;
  }
}

/** Returns up to `count` lines before `line`, as far as they are held. */
function linesBefore(view: HistoryView, line: number, count: number): string[] {
  const texts: string[] = [];
  const first = Math.max(view.oldest, line - count);
  for (let n = line - 1; n >= first && isReadable(view, n); n--) texts.unshift(view.text(n));
  return texts;
}

/** Returns up to `count` lines after `line`, as far as they are held. */
function linesBehind(view: HistoryView, line: number, count: number): string[] {
  const texts: string[] = [];
  const last = Math.min(view.total - 1, line + count);
  for (let n = line + 1; n <= last && isReadable(view, n); n++) texts.push(view.text(n));
  return texts;
}

function isReadable(view: HistoryView, line: number): boolean {
  return view.isHeld(line) && spanAt(view.lostLines, line) === undefined;
}

function beginningOf(line: string): string {
  return partOf(line, 0);
}

/** Returns the part of a line to return, starting at character `from`; never splits a character. */
function partOf(line: string, from: number): string {
  const start = Math.max(0, from);
  const end = start + MAX_MATCH_CHARS;
  return line.slice(start + Number(isCut(line, start)), end - Number(isCut(line, end)));
}

/** Returns whether the position is in the middle of a surrogate pair. */
function isCut(line: string, at: number): boolean {
  return at > 0 && at < line.length && line.codePointAt(at - 1)! > 0xffff;
}
