/**
 * Finds all lines of a history that match, page by page, and goes from match to match. The number of matches is true:
 * it is said to be incomplete until all lines have been searched.
 */
import { computed, signal } from '@preact/signals';
import type { SearchResult } from '../../../src/contract/search.js';
import { client } from '../access.js';
import { expressionOf, type Pattern } from '../ui/matching.js';

const PAGE = 1000;
/** The search stops after so many matches, until it is told to go on. */
const MAX_AT_ONCE = 10_000;

export function openFinding(id: string) {
  const pattern = signal<Pattern | null>(null);
  return {
    id,
    isRegex: signal(false),
    matchesCase: signal(false),
    pattern,
    /** Null if there is no pattern, or whole lines have to be marked. */
    expression: computed(() => pattern.value && expressionOf(pattern.value)),
    /** Numbers of the lines that match, in ascending order. */
    matches: signal<readonly number[]>([]),
    /** Index of the match that was gone to; -1 if none was. */
    current: signal(-1),
    state: signal<'searching' | 'stopped' | 'done'>('done'),
    problem: signal(''),
    /** Where the search continues. */
    next: 0,
    abort: new AbortController(),
  };
}
export type Finding = ReturnType<typeof openFinding>;

/** Starts a search. The first match at or after the line `from` becomes the current one. */
export async function find(finding: Finding, text: string, from: number): Promise<void> {
  stopFinding(finding);
  const { isRegex, matchesCase } = finding;
  const pattern = { text, isRegex: isRegex.peek(), ignoresCase: !matchesCase.peek() };
  finding.pattern.value = text === '' ? null : pattern;
  finding.matches.value = [];
  finding.current.value = -1;
  finding.problem.value = '';
  finding.next = 0;
  if (text !== '') await searchOn(finding, from);
}

export function stopFinding(finding: Finding): void {
  finding.abort.abort();
  finding.abort = new AbortController();
  finding.state.value = 'done';
}

/** Continues the search. */
export async function searchOn(finding: Finding, from: number): Promise<void> {
  const { abort, state, problem } = finding;
  state.value = 'searching';
  try {
    const isDone = await searchPages(finding, from, abort.signal);
    if (!abort.signal.aborted) state.value = isDone ? 'done' : 'stopped';
  } catch (error) {
    if (abort.signal.aborted) return;
    state.value = 'stopped';
    problem.value = error instanceof Error ? error.message : 'The search failed.';
  }
}

/** Returns whether all lines have been searched. */
async function searchPages(finding: Finding, from: number, signal: AbortSignal): Promise<boolean> {
  const limit = finding.matches.peek().length + MAX_AT_ONCE;
  while (finding.matches.peek().length < limit) {
    const page = await searchPage(finding, signal);
    if (signal.aborted) return false;
    take(finding, page, from);
    if (!page.hasMore) return true;
  }
  return false;
}

function searchPage({ id, pattern, next }: Finding, signal: AbortSignal): Promise<SearchResult> {
  const { text, isRegex, ignoresCase } = pattern.peek()!;
  const request = {
    ...(isRegex ? { regex: text } : { text }),
    ignoreCase: ignoresCase,
    maxMatches: PAGE,
    fromLine: next,
  };
  return client.search(id, request, { signal });
}

function take(finding: Finding, { matches, hasMore, nextFromLine, mutableFrom }: SearchResult, from: number): void {
  const all = [...finding.matches.peek(), ...matches.map(({ line }) => line)];
  finding.matches.value = all;
  // Lines that are still on the screen are searched again when they have changed.
  finding.next = hasMore ? nextFromLine : Math.min(nextFromLine, mutableFrom);
  if (finding.current.peek() >= 0 || all.length === 0) return;
  const first = all.findIndex((line) => line >= from);
  if (first >= 0 || !hasMore) finding.current.value = Math.max(0, first);
}

/** Searches new output, and lines that may have changed, if all others have been searched. */
export async function findNew(finding: Finding): Promise<void> {
  const { state, pattern, matches, next } = finding;
  if (pattern.peek() === null || state.peek() !== 'done') return;
  const kept = matches.peek().filter((line) => line < next);
  const page = await searchPage(finding, finding.abort.signal).catch(() => null);
  if (page === null || finding.next !== next || state.peek() !== 'done') return;
  const current = matches.peek()[finding.current.peek()];
  matches.value = kept;
  take(finding, page, 0);
  finding.current.value = current === undefined ? finding.current.peek() : matches.peek().indexOf(current);
  if (page.hasMore) await searchOn(finding, 0);
}

/** Moves to the next or the previous match, and returns its line; null if there is none. */
export function step({ matches, current }: Finding, by: 1 | -1): number | null {
  const { length } = matches.peek();
  if (length === 0) return null;
  current.value = (current.peek() + by + length) % length;
  return matches.peek()[current.peek()]!;
}

export const currentLine = ({ matches, current }: Finding): number | null => matches.value[current.value] ?? null;
