/** Tracks the state of reading one history: the lines held, the windows read, the selection, and the matches found. */
import { signal } from '@preact/signals';
import type { CommandRecord } from '../../../src/contract/command.js';
import type { OutputPage } from '../../../src/contract/output.js';
import { client } from '../access.js';
import { sizeOf, type Extent, type Range } from './sections.js';

const MAX_COMMANDS = 1000;
const MAX_MATCHES = 1000;
const KEPT_WINDOWS = 20;

export interface Lines {
  readonly entries: readonly { readonly line: number; readonly time: string; readonly text: string }[];
  readonly mutableFrom: number;
}

export function openReading(id: string) {
  return {
    id,
    held: signal<Range | null>(null),
    dropped: signal(0),
    commands: signal<readonly CommandRecord[]>([]),
    /** Sections that the user folded or unfolded, keyed by their first line. */
    folds: signal<ReadonlyMap<number, boolean>>(new Map()),
    extents: signal<ReadonlyMap<number, Extent>>(new Map()),
    /** The lines that the URL requests, which may be in the hidden part of a long section. */
    target: signal<Range | null>(null),
    chosen: signal<Range | null>(null),
    pattern: signal(''),
    matches: signal<readonly number[]>([]),
    current: signal(-1),
    isSearching: signal(false),
    said: signal(''),
    cache: new Map<string, Lines>(),
    search: new AbortController(),
  };
}
export type Reading = ReturnType<typeof openReading>;

/** Reads the commands and the range of lines that the server holds. */
export async function look(reading: Reading): Promise<void> {
  const stats = await client.stats(reading.id);
  reading.dropped.value = stats.history.droppedLines;
  const commands: CommandRecord[] = [];
  for (let hasMore = true; hasMore;) {
    const after = commands.at(-1)?.commandId ?? 0;
    const page = await client.commands(reading.id, { after, limit: MAX_COMMANDS });
    commands.push(...page.commands);
    hasMore = page.hasMore && page.commands.length > 0;
  }
  reading.commands.value = commands;
  reading.held.value = { from: stats.oldestLine, to: stats.newestLine };
}

export async function readWindow(reading: Reading, range: Range, signal: AbortSignal): Promise<Lines> {
  const key = `${range.from}-${range.to}`;
  const kept = reading.cache.get(key);
  if (kept !== undefined) return kept;
  const request = { since: range.from, maxLines: sizeOf(range), format: 'ansi', entries: true } as const;
  const page = await client.read(reading.id, request, { signal });
  const lines = { entries: entriesOf(page), mutableFrom: page.mutableFrom };
  // Lines that may still change are not kept, so each call reads them again.
  if (range.to < page.mutableFrom) keep(reading, key, lines);
  return lines;
}

function entriesOf(page: OutputPage): Lines['entries'] {
  const { entries } = page as { entries?: Lines['entries'] };
  return entries ?? page.output.split('\n').map((text, index) => ({ line: page.fromLine + index, time: '', text }));
}

function keep(reading: Reading, key: string, lines: Lines): void {
  reading.cache.set(key, lines);
  const oldest = reading.cache.keys().next().value;
  if (reading.cache.size > KEPT_WINDOWS && oldest !== undefined) reading.cache.delete(oldest);
}

/** Finds all lines that contain the text, one page at a time. The count is final once `isSearching` is false. */
export async function find(reading: Reading, text: string): Promise<void> {
  reading.search.abort();
  const { signal } = (reading.search = new AbortController());
  reading.pattern.value = text;
  reading.matches.value = [];
  reading.current.value = -1;
  reading.said.value = '';
  if (text === '') return;
  reading.isSearching.value = true;
  try {
    await findAll(reading, text, signal);
  } catch (error) {
    if (!signal.aborted) reading.said.value = error instanceof Error ? error.message : 'The search failed.';
  }
  if (!signal.aborted) reading.isSearching.value = false;
}

async function findAll(reading: Reading, text: string, signal: AbortSignal): Promise<void> {
  for (let fromLine = 0, hasMore = true; hasMore && !signal.aborted;) {
    const request = { text, ignoreCase: text === text.toLowerCase(), maxMatches: MAX_MATCHES, fromLine };
    const page = await client.search(reading.id, request, { signal });
    reading.matches.value = [...reading.matches.peek(), ...page.matches.map(({ line }) => line)];
    ({ hasMore, nextFromLine: fromLine } = page);
  }
}

/** Moves to the next or the previous match and returns its line, or null if there is none. */
export function step(reading: Reading, by: 1 | -1): number | null {
  const { length } = reading.matches.peek();
  if (length === 0) return null;
  reading.current.value = (reading.current.peek() + by + length) % length;
  const line = reading.matches.peek()[reading.current.peek()]!;
  reading.target.value = { from: line, to: line };
  return line;
}
