/** Reads the lines of the history that are above a screen, to be shown above it. */
import { client } from '../access.js';
import { endedLinesOf, linesOf, type LinesAbove } from './rows.js';

const LINES = 300;
const MAX_BYTES = 256 << 10;
/** A screen waits no longer than this for the lines above it. */
const PATIENCE_MS = 2000;

/** Returns the first line that may still change, because it is on the screen; null if the server does not tell. */
export async function readMutableFrom(id: string): Promise<number | null> {
  const request = { mode: 'tail', tailLines: 0 } as const;
  const page = await client.read(id, request, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
  return page?.mutableFrom ?? null;
}

/**
 * Returns the lines above the screen of a snapshot, or null if it is not known which ones those are.
 *
 * @param before - The result of `readMutableFrom` before the snapshot was taken.
 */
export async function readLinesAbove(
  id: string,
  snapshot: { readonly at: number; readonly rows: number },
  before: number | null,
): Promise<LinesAbove | null> {
  const count = LINES + snapshot.rows;
  const request = { mode: 'tail', tailLines: count, maxLines: count, maxBytes: MAX_BYTES, format: 'ansi' } as const;
  try {
    const page = await client.read(id, request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (page.isActive) return linesOf(page, snapshot.at, before);
    const screen = await client.screen(id, 'text');
    return screen.alternate ? null : endedLinesOf(page, screen.lines);
  } catch {
    // The screen alone is shown.
    return null;
  }
}
