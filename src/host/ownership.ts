/**
 * Which process owns which slot of a data directory, and where its socket is. The locks that prove it lie in the data
 * directory, out of the reach of what tidies temporary directories up. It starts nothing and connects to nothing.
 *
 * Locks name processes by number, which only says something to those who number processes alike: so the locks of one
 * boot of one machine or container lie in a directory of their own. A data directory that is shared with another machine
 * is no reason to take a host for dead, nor its slot.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock, liveOwner, lockedSlots } from './lock.js';
import type { HeldLock, LockOwner } from './lock.js';
import { checkPrivate, makePrivate } from './runtime-directory.js';
import type { HostPlaces } from './runtime-directory.js';

const NAME_LENGTH = 12;
const LOCKS = new RegExp(`^[0-9a-f]{${NAME_LENGTH}}$`);
/** Hosts that run keep theirs young; this is of a boot, a machine or a container that is no more. */
const STALE_AFTER_MS = 30 * 86_400_000;

/** Where the hosts of this boot have their locks. It need not exist. */
export function lockDirectory({ dataDir }: Pick<HostPlaces, 'dataDir'>): string {
  const hash = createHash('sha256').update(`${bootId()} ${processNumbering()}`).digest('hex');
  return join(dataDir, 'hosts', hash.slice(0, NAME_LENGTH));
}

/** Makes what is missing, mode 0700. @throws `HOST_FAILED` if another user could get in. */
export function prepareLockDirectory({ dataDir }: Pick<HostPlaces, 'dataDir'>): string {
  makePrivate(join(dataDir, 'hosts'), 'TENACITTY_DATA_DIR');
  const directory = lockDirectory({ dataDir });
  makePrivate(directory, 'TENACITTY_DATA_DIR');
  return directory;
}

/** The process that owns a slot and lives, or null. */
export function ownerOf(places: HostPlaces, slot: number): LockOwner | null {
  return liveOwner(lockDirectory(places), slot);
}

/** Slots whose owner lives, in order. @throws `HOST_FAILED` if others could have put locks there. */
export function ownedSlots(places: HostPlaces): number[] {
  const directory = lockDirectory(places);
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) checkPrivate(directory, 'TENACITTY_DATA_DIR');
  return lockedSlots(directory).filter((slot) => liveOwner(directory, slot) !== null);
}

/** Makes this process the owner of a slot. Null if another process, which lives, is. @throws `HOST_FAILED` */
export function ownSlot(places: HostPlaces, slot: number): HeldLock | null {
  const directory = prepareLockDirectory(places);
  removeStale(join(places.dataDir, 'hosts'), directory);
  return acquireLock(directory, slot, places.runtimeDir);
}

function removeStale(parent: string, own: string): void {
  for (const name of readdirSync(parent).filter((entry) => LOCKS.test(entry))) {
    const path = join(parent, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const isStale = stats !== undefined && Date.now() - stats.mtimeMs > STALE_AFTER_MS;
    if (path !== own && isStale) rmSync(path, { recursive: true, force: true });
  }
}

/** Empty where there is none (macOS): there locks of before a restart are told by their pids alone. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Names the pid namespace: a container has its own. */
function processNumbering(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
