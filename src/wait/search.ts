/**
 * Searches a history in slices, within a time limit, yielding to other work in between. In each turn of the event loop,
 * one slice of one search runs.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommandListRequest } from '../contract/command.js';
import { MAX_SEARCH_MS } from '../contract/search.js';
import type { SearchRequest, SearchResult } from '../contract/search.js';
import { LineSearch } from '../history/search.js';
import type { HistoryView } from '../history/view.js';
import { lineFinder } from './pattern.js';
import { Turns } from '../turns.js';

/** Maximum delay of other work, apart from the time that a single line takes. */
const SLICE_MS = 4;

/** Makes searches of more than one slice take turns. */
const turns = new Turns();

/**
 * @param currentView - Returns the current history. An earlier view can still read what is held.
 * @param signal - Ends the search, which then returns what it has found so far.
 * @throws `INVALID_INPUT` if the expression is invalid, `READ_FAILED` if the history cannot be read.
 */
export async function search(
  currentView: () => HistoryView | Promise<HistoryView>,
  request: SearchRequest,
  signal?: AbortSignal,
  maxMs = MAX_SEARCH_MS,
): Promise<SearchResult> {
  const find = lineFinder(request);
  let view = await currentView();
  const lines = new LineSearch(view, request, find);
  const deadline = performance.now() + maxMs;
  for (let sliceEnd = performance.now() + SLICE_MS; ;) {
    lines.step(view);
    const now = performance.now();
    if (lines.isOver || now > deadline || signal?.aborted === true) return lines.result();
    if (now < sliceEnd) continue;
    await turns.take(() => nextTurn());
    if (!view.isHeld(lines.at)) view = await currentView();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** Returns the items whose text matches. @throws `INVALID_INPUT` if the expression is invalid. */
export async function matching<Item extends { readonly text: string }>(
  items: readonly Item[],
  pattern: Pick<CommandListRequest, 'text' | 'regex' | 'ignoreCase'>,
): Promise<Item[]> {
  const find = lineFinder(pattern);
  const found: Item[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const item of items) {
    if (find(item.text) >= 0) found.push(item);
    if (performance.now() < sliceEnd) continue;
    await turns.take(() => nextTurn());
    sliceEnd = performance.now() + SLICE_MS;
  }
  return found;
}
