/**
 * Which hosts there are, or ought to be: found on disk, so that any process of the user finds those that any other has
 * started. It starts nothing.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { liveOwner, lockedSlots } from './lock.js';
import { checkPrivate, historyDirectory, hostDirectory } from './runtime-directory.js';
import type { HostPlaces } from './runtime-directory.js';

/** Slots whose host runs. @throws `HOST_FAILED` if others could get at their sockets. */
export function liveSlots(places: HostPlaces): number[] {
  const directory = hostDirectory(places);
  for (const path of [places.runtimeDir, directory]) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
    checkPrivate(path, 'RUNTIME_DIR');
  }
  return lockedSlots(directory).filter((slot) => liveOwner(directory, slot) !== null);
}

/** Slots that have something to tell: their host runs, or they have terminals on disk. In order. */
export function knownSlots(places: HostPlaces): number[] {
  const stored = storedSlots(places.dataDir);
  return [...new Set([...liveSlots(places), ...stored])].sort((a, b) => a - b);
}

function storedSlots(dataDir: string): number[] {
  const slots = entriesOf(join(dataDir, 'terminals')).filter((name) => /^\d{1,6}$/.test(name));
  return slots.map(Number).filter((slot) => entriesOf(historyDirectory(dataDir, slot)).length > 0);
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // None, or not ours to look into: the host of that slot will say so.
    return [];
  }
}
