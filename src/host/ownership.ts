/**
 * Determines which process owns which slot of a data directory, and where its socket is. The locks are in the data
 * directory, where jobs that clean up temporary directories do not remove them. Starts nothing and connects to nothing.
 *
 * Locks identify processes by pid, which is only meaningful to processes in the same pid namespace. Each boot of each
 * machine or container therefore has its own lock directory. Sharing a data directory with another machine must not
 * make a host look dead, or its slot free.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pidNumbering } from '../processes/pid-numbering.js';
import { acquireLock, liveOwner, lockedSlots } from './lock.js';
import type { HeldLock, LockOwner } from './lock.js';
import { checkPrivate, makePrivate } from './runtime-directory.js';
import type { HostDirectories } from './runtime-directory.js';

const NAME_LENGTH = 12;
const LOCKS = new RegExp(`^[0-9a-f]{${NAME_LENGTH}}$`);
/**
 * Running hosts touch their lock directory regularly, so one that is older than this belongs to a boot, machine or
 * container that no longer exists.
 */
const STALE_AFTER_MS = 30 * 86_400_000;

/**
 * Returns the lock directory of this boot. It need not exist. Without a boot id (macOS), locks from before a restart
 * are recognised only by pid.
 */
export function lockDirectory({ dataDir }: Pick<HostDirectories, 'dataDir'>): string {
  const hash = createHash('sha256').update(pidNumbering().join(' ')).digest('hex');
  return join(dataDir, 'hosts', hash.slice(0, NAME_LENGTH));
}

/** Creates missing directories with mode 0700. @throws `HOST_FAILED` if another user could access the directory. */
export function prepareLockDirectory({ dataDir }: Pick<HostDirectories, 'dataDir'>): string {
  makePrivate(join(dataDir, 'hosts'), 'TENACITTY_DATA_DIR');
  const directory = lockDirectory({ dataDir });
  makePrivate(directory, 'TENACITTY_DATA_DIR');
  return directory;
}

/** Returns the live process that owns a slot, or null. */
export function ownerOf(directories: HostDirectories, slot: number): LockOwner | null {
  return liveOwner(lockDirectory(directories), slot);
}

/**
 * Returns the slots whose owner is alive, in order.
 *
 * @throws `HOST_FAILED` if other users could have created locks there.
 */
export function ownedSlots(directories: HostDirectories): number[] {
  const directory = lockDirectory(directories);
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined) checkPrivate(directory, 'TENACITTY_DATA_DIR');
  return lockedSlots(directory).filter((slot) => liveOwner(directory, slot) !== null);
}

/**
 * Makes this process the owner of a slot. Returns null if another live process owns it.
 *
 * @throws `HOST_FAILED` if another user could access the lock directory, or if no lock can be created there.
 */
export function claimSlot(directories: HostDirectories, slot: number): HeldLock | null {
  const directory = prepareLockDirectory(directories);
  removeStale(join(directories.dataDir, 'hosts'), directory);
  return acquireLock(directory, slot, directories.runtimeDir);
}

/**
 * Tries to make this process the one that runs the hooks of a data directory; returns whether it is.
 *
 * @throws `HOST_FAILED` if another user could access the directory, or if no lock can be created there.
 */
export function claimHooks(dataDir: string): boolean {
  const directory = join(prepareLockDirectory({ dataDir }), 'hooks');
  makePrivate(directory, 'TENACITTY_DATA_DIR');
  return acquireLock(directory, 0, directory) !== null;
}

function removeStale(parent: string, own: string): void {
  for (const name of readdirSync(parent).filter((entry) => LOCKS.test(entry))) {
    const path = join(parent, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const isStale = stats !== undefined && Date.now() - stats.mtimeMs > STALE_AFTER_MS;
    if (path !== own && isStale) rmSync(path, { recursive: true, force: true });
  }
}
