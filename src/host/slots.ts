/**
 * Which hosts there are, or ought to be: found on disk, so that any process of the user finds those that any other has
 * started. It starts nothing.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownedSlots } from './ownership.js';
import { historyDirectory, hostDirectory } from './runtime-directory.js';
import type { HostPlaces } from './runtime-directory.js';

/** Slots whose host runs, or may run: where a lock is missing, a socket may still lead to it. In order. */
export function reachableSlots(places: HostPlaces): number[] {
  const sockets = entriesOf(hostDirectory(places)).map((name) => /^host-(\d{1,6})\.sock$/.exec(name)?.[1]);
  return inOrder([...ownedSlots(places), ...sockets.filter((slot) => slot !== undefined).map(Number)]);
}

/** Slots that have something to tell: their host runs, or they have terminals on disk. In order. */
export function knownSlots(places: HostPlaces): number[] {
  return inOrder([...ownedSlots(places), ...storedSlots(places.dataDir)]);
}

function storedSlots(dataDir: string): number[] {
  const slots = entriesOf(join(dataDir, 'terminals')).filter((name) => /^\d{1,6}$/.test(name));
  return slots.map(Number).filter((slot) => entriesOf(historyDirectory(dataDir, slot)).length > 0);
}

function inOrder(slots: readonly number[]): number[] {
  return [...new Set(slots)].sort((a, b) => a - b);
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // None, or not ours to look into: the host of that slot will say so.
    return [];
  }
}
