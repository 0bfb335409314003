/**
 * Reads the lines of a history in windows of 400, a few at a time, and only those in view. Keeps the last 20; those
 * whose lines can still change are read again when they may have changed.
 */
import { signal, type Signal } from '@preact/signals';
import type { OutputPage } from '../../../src/contract/output.js';
import { client } from '../access.js';
import type { Range } from './sections.js';

/** Number of lines in a window. */
const WINDOW = 400;
const KEPT = 20;
const MAX_READS_AT_ONCE = 3;
const MAX_BYTES = 4 << 20;

export interface Entry {
  readonly line: number;
  readonly time: string;
  readonly text: string;
}

interface Slot {
  readonly entries: Signal<readonly Entry[] | null>;
  /** Whether its lines were read, and cannot have changed since. */
  isFresh: boolean;
  /** Whether its lines can never change. */
  isFinal: boolean;
  reading: AbortController | null;
}

interface Shared {
  readonly held: Signal<Range | null>;
  readonly problem: Signal<string>;
}

export function openWindows(id: string, { held, problem }: Shared) {
  const slots = new Map<number, Slot>();
  /** This line and all later ones may still change. */
  const mutableFrom = signal(Number.MAX_SAFE_INTEGER);
  /** Called when lines are no longer held that were asked for. */
  let onDropped = (): void => {};
  let needed: readonly number[] = [];

  const slotAt = (index: number): Slot => {
    const slot = slots.get(index) ?? { entries: signal(null), isFresh: false, isFinal: false, reading: null };
    // The ones used last are the last.
    slots.delete(index);
    slots.set(index, slot);
    return slot;
  };

  const read = async (index: number, slot: Slot): Promise<void> => {
    const abort = (slot.reading = new AbortController());
    const range = { from: Math.max(index * WINDOW, held.peek()?.from ?? 0), to: (index + 1) * WINDOW - 1 };
    slot.isFresh = true;
    try {
      const { entries, page } = await linesOf(id, range, abort.signal);
      slot.entries.value = entries;
      slot.isFinal = range.to < page.mutableFrom;
      mutableFrom.value = page.mutableFrom;
      problem.value = '';
      if (page.droppedLines > 0) onDropped();
    } catch (error) {
      if (abort.signal.aborted) slot.isFresh = false;
      else problem.value = error instanceof Error ? error.message : 'Lines could not be read.';
    }
    slot.reading = null;
    pump();
  };

  const pump = (): void => {
    let running = [...slots.values()].filter(({ reading }) => reading !== null).length;
    for (const index of needed) {
      const slot = slotAt(index);
      if (slot.reading !== null || slot.isFresh || running >= MAX_READS_AT_ONCE) continue;
      running++;
      void read(index, slot);
    }
  };

  return {
    mutableFrom,
    /** The window that contains the line; null until it has been read. */
    at: (line: number): Signal<readonly Entry[] | null> => slotAt(Math.floor(line / WINDOW)).entries,
    /** Reads the windows with these lines, and ends the reading of others. */
    need(ranges: readonly Range[]): void {
      needed = [...new Set(ranges.flatMap(({ from, to }) => indexesOf(from, to)))];
      for (const [index, slot] of slots) {
        if (needed.includes(index)) continue;
        slot.reading?.abort();
        if (slots.size > KEPT) slots.delete(index);
      }
      pump();
    },
    /** Reads windows again whose lines may have changed. */
    refresh(): void {
      for (const slot of slots.values()) if (!slot.isFinal) slot.isFresh = false;
      pump();
    },
    close(): void {
      needed = [];
      for (const { reading } of slots.values()) reading?.abort();
    },
    set onDropped(listener: () => void) {
      onDropped = listener;
    },
  };
}

function indexesOf(from: number, to: number): number[] {
  const [first, last] = [Math.floor(from / WINDOW), Math.floor(to / WINDOW)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Reads all lines of a range, in several pages if they are long. */
async function linesOf(
  id: string,
  { from, to }: Range,
  signal: AbortSignal,
): Promise<{ entries: Entry[]; page: OutputPage }> {
  const entries: Entry[] = [];
  for (let since = from; ;) {
    const request = { since, maxLines: to - since + 1, format: 'ansi', entries: true, maxBytes: MAX_BYTES } as const;
    const page = await client.read(id, request, { signal });
    entries.push(...((page as { entries?: Entry[] }).entries ?? []));
    if (!page.hasMore || page.nextReadFrom > to || page.nextReadFrom <= since) return { entries, page };
    since = page.nextReadFrom;
  }
}
