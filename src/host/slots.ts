/**
 * Finds hosts on disk, so that each of the user's processes finds the hosts that other processes have started. Starts
 * nothing.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownedSlots } from './ownership.js';
import { historyDirectory, hostDirectory } from './runtime-directory.js';
import type { HostDirectories } from './runtime-directory.js';

/**
 * Returns the slots whose host is running or may be running: if a lock is missing, a socket may still lead to it. In
 * order.
 */
export function reachableSlots(places: HostDirectories): number[] {
  const sockets = entriesOf(hostDirectory(places)).map((name) => /^host-(\d{1,6})\.sock$/.exec(name)?.[1]);
  return inOrder([...ownedSlots(places), ...sockets.filter((slot) => slot !== undefined).map(Number)]);
}

/** Returns the slots whose host is running or that have terminals on disk. In order. */
export function knownSlots(places: HostDirectories): number[] {
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
    // Missing, or not readable by us: the host of that slot will report it.
    return [];
  }
}
