/**
 * Has a history looked through in slices, with turns for everything else between them, and within a time. Of all that
 * is looked through at the same time one slice is done in each turn. It knows no terminal.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_SEARCH_MS } from '../contract/search.js';
import type { SearchRequest, SearchResult } from '../contract/search.js';
import { LineSearch } from '../history/search.js';
import type { HistoryView } from '../history/view.js';
import { lineFinder } from './pattern.js';

/** Others wait so long at most, but for what one line takes. */
const SLICE_MS = 4;

/** Those who have more to do, one behind the other. */
let queue: Promise<void> = Promise.resolve();

function afterOthers(): Promise<void> {
  return (queue = queue.then(() => nextTurn()));
}

/**
 * @param look - Gives the history as it is. Of an earlier view what is held still can be read.
 * @param signal - Ends it: with what was found so far.
 * @throws `INVALID_INPUT`, `READ_FAILED`.
 */
export async function search(
  look: () => HistoryView | Promise<HistoryView>,
  request: SearchRequest,
  signal?: AbortSignal,
  maxMs = MAX_SEARCH_MS,
): Promise<SearchResult> {
  const find = lineFinder(request);
  let view = await look();
  const lines = new LineSearch(view, request, find);
  const deadline = performance.now() + maxMs;
  for (let sliceEnd = performance.now() + SLICE_MS; ;) {
    lines.step(view);
    const now = performance.now();
    if (lines.isOver || now > deadline || signal?.aborted === true) return lines.result();
    if (now < sliceEnd) continue;
    await afterOthers();
    if (!view.isHeld(lines.at)) view = await look();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
