/** Searches all terminals and keeps what was found, and how much was searched, as signals. */
import { computed, signal } from '@preact/signals';
import type { CommandRecord } from '../../../src/contract/command.js';
import type { FoundItem } from '../../../src/contract/search-all.js';
import { client } from '../access.js';
import { terminals } from '../store/store.js';
import { expressionOf, type Pattern } from '../ui/matching.js';

export interface FoundLine {
  readonly line: number;
  readonly text: string;
}

function nothing() {
  return {
    lines: new Map<string, FoundLine[]>(),
    commands: [] as CommandRecord[],
    skipped: [] as { readonly terminalId: string; readonly message: string }[],
    /** Ids of the terminals that were searched to their end. */
    complete: new Set<string>(),
    searchedLines: 0,
    ms: 0,
  };
}
export type Found = ReturnType<typeof nothing>;

export const isRegex = signal(false);
export const matchesCase = signal(false);
/** What is searched for; null if nothing is. */
export const pattern = signal<Pattern | null>(null);
export const expression = computed(() => pattern.value && expressionOf(pattern.value));
/** What was found so far. Replaced at most once per frame, because matches arrive much faster. */
export const found = signal<Found>(nothing());
export const state = signal<'searching' | 'stopped' | 'done'>('done');
export const problem = signal('');

let collected = nothing();
let next: string | undefined;
let abort = new AbortController();
let frame = 0;

/** Shows what has been collected, in the next frame. */
function show(): void {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    found.value = { ...collected };
  });
}

function take(item: FoundItem): void {
  if (item.type === 'match') {
    const known = collected.lines.get(item.terminalId);
    if (known === undefined) collected.lines.set(item.terminalId, [item]);
    else known.push(item);
  } else if (item.type === 'command') collected.commands.push(item.command);
  else if (item.type === 'skipped') collected.skipped.push(item);
  else if (item.type === 'progress') {
    collected.searchedLines += item.lines;
    if (item.isComplete) collected.complete.add(item.terminalId);
  }
}

/** Starts a search, and ends the one before it. */
export function startSearch(text: string): void {
  stopSearch();
  collected = nothing();
  next = undefined;
  pattern.value = text === '' ? null : { text, isRegex: isRegex.peek(), ignoresCase: !matchesCase.peek() };
  show();
  if (text !== '') void searchOn();
}

export function stopSearch(): void {
  abort.abort();
  abort = new AbortController();
  state.value = 'done';
}

/** Begins or continues the search. */
export async function searchOn(): Promise<void> {
  const { signal } = abort;
  const began = performance.now() - collected.ms;
  state.value = 'searching';
  problem.value = '';
  try {
    for await (const item of client.searchAll(requestFor(pattern.peek()!), { signal })) {
      if (signal.aborted) return;
      collected.ms = performance.now() - began;
      take(item);
      if (item.type === 'end') next = item.next ?? undefined;
      show();
    }
    state.value = next === undefined ? 'done' : 'stopped';
  } catch (error) {
    if (signal.aborted) return;
    state.value = 'stopped';
    problem.value = error instanceof Error ? error.message : 'The search failed.';
  }
}

function requestFor({ text, isRegex: isExpression, ignoresCase }: Pattern) {
  const wanted = { ...(isExpression ? { regex: text } : { text }), ignoreCase: ignoresCase };
  return { ...wanted, commands: true, progress: true, ...(next !== undefined && { after: next }) };
}

/** Number of terminals to search. */
export const total = computed(() => terminals.value.length);
