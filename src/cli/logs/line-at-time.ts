/** Finds the first line at or after a time, by reading only a few lines. */
import type { TerminalManager } from '../../contract/manager.js';

/**
 * Returns the number of the first line that began at `time` (milliseconds since 1970) or later; if there is none, the
 * number that follows that of the newest line. Uses binary search, because lines are ordered by the time when they
 * began.
 */
export async function firstLineSince(manager: TerminalManager, id: string, time: number): Promise<number> {
  const { oldestLine, newestLine } = await manager.stats(id);
  let [low, high] = [oldestLine, newestLine + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const began = await timeOf(manager, id, middle);
    // A line that has been dropped in the meantime is older than all lines that are still held.
    if (began === undefined || began < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function timeOf(manager: TerminalManager, id: string, line: number): Promise<number | undefined> {
  const page = await manager.read(id, { since: line, mode: 'head', headLines: 1, entries: true });
  const [entry] = page.entries ?? [];
  return entry?.line === line ? Date.parse(entry.time) : undefined;
}
