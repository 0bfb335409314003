/**
 * Guarantees that each slot has at most one host, using only files. A lock names its owner. Its number is its
 * generation, and the highest generation counts. A process that finds that the owner of the highest lock is dead
 * creates the next generation.
 *
 * A lock is a dangling symbolic link whose target holds the data. Creating the link is atomic, fails if it exists and,
 * because the target is so short, works even on a full disk.
 *
 * Why this is safe: the highest lock is never removed, so the highest number never decreases. A process that has
 * created a lock and then sees no higher one is the owner: another process could create a higher lock only after
 * reading that very lock and finding its owner dead.
 */
import { lstatSync, readdirSync, readlinkSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalError } from '../errors.js';
import { HAS_PROCESS_TABLE, readProcess, startTimeOf } from '../processes/process-table.js';

export interface LockOwner {
  readonly pid: number;
  /** Start time in clock ticks since boot, because a pid may be reused. Null if unknown. */
  readonly startTime: number | null;
  /** The directory of its socket; see {@link HostDirectories}. */
  readonly runtimeDir: string;
}

export interface Lock {
  readonly generation: number;
  readonly owner: LockOwner;
}

/** A lock directory that looks old is removed as abandoned, so a live one must be touched regularly. */
const TOUCH_EVERY_MS = 3_600_000;

/** Returns the slots that have a lock, regardless of their owners; none if the directory does not exist. */
export function lockedSlots(directory: string): number[] {
  const slots = namesIn(directory).map((name) => /^host-(\d+)\.lock\.\d+$/.exec(name)?.[1]);
  return [...new Set(slots.filter((slot) => slot !== undefined).map(Number))].sort((a, b) => a - b);
}

/** Returns the live process that owns a slot, or null. */
export function liveOwner(directory: string, slot: number): LockOwner | null {
  const lock = readLock(directory, slot);
  return lock !== null && isAlive(lock.owner) ? lock.owner : null;
}

/**
 * Makes this process the owner of a slot. Returns null if another live process owns it.
 *
 * @param runtimeDir - Where this process has its socket, so that others can find it.
 * @throws `HOST_FAILED` if no lock can be created there.
 */
export function acquireLock(directory: string, slot: number, runtimeDir: string): HeldLock | null {
  for (;;) {
    const lock = readLock(directory, slot);
    const isOurs = lock !== null && isSelf(lock.owner);
    if (isOurs) return new HeldLock(directory, slot, lock.generation, runtimeDir);
    if (lock !== null && isAlive(lock.owner)) return null;
    const generation = (lock?.generation ?? 0) + 1;
    if (!createLock(directory, slot, generation, describeProcess(process.pid, runtimeDir))) continue;
    if (highestGeneration(directory, slot) === generation) {
      return new HeldLock(directory, slot, generation, runtimeDir);
    }
    // Our information was out of date, because there have been other owners since. A higher lock exists, so ours has no
    // effect.
    removeIfThere(lockPath(directory, slot, generation));
  }
}

/** A lock that this process owns. It remains when the process exits, because the lock of a dead owner has no effect. */
export class HeldLock {
  readonly #directory: string;
  readonly #slot: number;
  readonly #runtimeDir: string;
  readonly generation: number;

  constructor(directory: string, slot: number, generation: number, runtimeDir: string) {
    this.#directory = directory;
    this.#slot = slot;
    this.#runtimeDir = runtimeDir;
    this.generation = generation;
    this.#removeLower();
  }

  /**
   * Returns whether this process still owns the slot. Restores a lock that a cleanup job removed, unless another
   * process has taken the slot in the meantime.
   */
  keep(): boolean {
    const lock = readLock(this.#directory, this.#slot);
    const self = describeProcess(process.pid, this.#runtimeDir);
    if (lock === null) createLock(this.#directory, this.#slot, this.generation, self);
    else if (!isSelf(lock.owner)) return false;
    touch(this.#directory);
    return true;
  }

  /** Makes another process the owner. Returns false if there is no such process. */
  passTo(pid: number): boolean {
    const next = describeProcess(pid, this.#runtimeDir);
    if (HAS_PROCESS_TABLE && next.startTime === null) return false;
    return createLock(this.#directory, this.#slot, this.generation + 1, next);
  }

  #removeLower(): void {
    for (const generation of generations(this.#directory, this.#slot)) {
      if (generation < this.generation) removeIfThere(lockPath(this.#directory, this.#slot, generation));
    }
  }
}

function touch(directory: string): void {
  const now = new Date();
  if (now.getTime() - lstatSync(directory).mtimeMs > TOUCH_EVERY_MS) utimesSync(directory, now, now);
}

/** Returns the lock that counts, or null. An unreadable lock is treated as having a dead owner. */
export function readLock(directory: string, slot: number): Lock | null {
  for (;;) {
    const generation = highestGeneration(directory, slot);
    if (generation === null) return null;
    const text = readIfThere(lockPath(directory, slot, generation));
    // The lock was removed in the meantime, so there is a higher one.
    if (text !== null) return { generation, owner: parseOwner(text) };
  }
}

/**
 * Returns whether a lock's owner is running: the same process, neither a zombie nor another process with the same pid.
 */
export function isAlive({ pid, startTime }: Pick<LockOwner, 'pid' | 'startTime'>): boolean {
  if (!HAS_PROCESS_TABLE) return exists(pid);
  const found = readProcess(pid);
  return found !== null && !found.isGone && found.startTime === startTime;
}

function isSelf({ pid, startTime }: LockOwner): boolean {
  return pid === process.pid && startTime === startTimeOf(process.pid);
}

function describeProcess(pid: number, runtimeDir: string): LockOwner {
  return { pid, startTime: startTimeOf(pid), runtimeDir };
}

/** Returns false if that generation already exists. */
function createLock(directory: string, slot: number, generation: number, owner: LockOwner): boolean {
  const path = lockPath(directory, slot, generation);
  try {
    symlinkSync(`${owner.pid}:${owner.startTime ?? ''}:${owner.runtimeDir}`, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    const message = `The lock ${path} cannot be created: ${(cause as Error).message}`;
    throw new TerminalError(
      'HOST_FAILED',
      `${message}. Correct the cause, or set TENACITTY_DATA_DIR to another directory.`,
      { path },
      { cause },
    );
  }
}

const NOBODY: LockOwner = { pid: Number.MAX_SAFE_INTEGER, startTime: null, runtimeDir: '' };

/** Parses a lock's owner. Locks are created atomically, so a malformed one was not created by this program. */
function parseOwner(text: string): LockOwner {
  const [, pid, startTime, runtimeDir] = /^(\d{1,10}):(\d{0,15}):(.+)$/s.exec(text) ?? [];
  if (pid === undefined || runtimeDir === undefined) return NOBODY;
  return { pid: Number(pid), startTime: startTime === '' ? null : Number(startTime), runtimeDir };
}

function highestGeneration(directory: string, slot: number): number | null {
  const all = generations(directory, slot);
  return all.length === 0 ? null : Math.max(...all);
}

/**
 * Returns the generations of a slot's locks. There are so few names that the system returns them in a single read,
 * which never misses a name that exists throughout.
 */
function generations(directory: string, slot: number): number[] {
  const prefix = `host-${slot}.lock.`;
  const numbers = namesIn(directory).filter((name) => name.startsWith(prefix));
  return numbers.map((name) => Number(name.slice(prefix.length))).filter(Number.isSafeInteger);
}

function lockPath(directory: string, slot: number, generation: number): string {
  return join(directory, `host-${slot}.lock.${generation}`);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    // Not a symbolic link.
    if (code === 'EINVAL') return '';
    throw error;
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
