/**
 * Proves that there is one host in a slot, by files alone. A lock names its owner; its number is its generation, and
 * the highest one counts. Whoever finds the owner of the highest dead creates the next. It knows neither sockets nor
 * terminals, and not where locks lie: all in one directory are of processes that see each other (see ownership.ts).
 *
 * A lock is a symbolic link to nowhere, whose target is what it says: it is made in one step, complete or not at all,
 * fails if there is one, and, short as it is, finds room on a disk that is full.
 *
 * Why that is safe: the highest is never removed, so that the highest number never falls. Who has made a lock and then
 * sees none higher is the owner: another could only follow who read that very lock and found its owner dead.
 */
import { lstatSync, readdirSync, readlinkSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalError } from '../errors.js';
import { HAS_PROCESS_TABLE, readProcess, startTimeOf } from '../processes/process-table.js';

export interface LockOwner {
  readonly pid: number;
  /** In clock ticks since boot: a number may be given to another process later. Null where that is not known. */
  readonly startTime: number | null;
  /** Where it has its socket; see {@link HostPlaces}. */
  readonly runtimeDir: string;
}

export interface Lock {
  readonly generation: number;
  readonly owner: LockOwner;
}

/** A directory whose age says that nobody looks after it any more is removed; so it must not look old. */
const TOUCH_EVERY_MS = 3_600_000;

/** Slots that have a lock, whoever it belongs to; none if there is no such directory. */
export function lockedSlots(directory: string): number[] {
  const slots = namesIn(directory).map((name) => /^host-(\d+)\.lock\.\d+$/.exec(name)?.[1]);
  return [...new Set(slots.filter((slot) => slot !== undefined).map(Number))].sort((a, b) => a - b);
}

/** The process that owns a slot and lives, or null. */
export function liveOwner(directory: string, slot: number): LockOwner | null {
  const lock = readLock(directory, slot);
  return lock !== null && isAlive(lock.owner) ? lock.owner : null;
}

/**
 * Makes this process the owner of a slot. Null if another process, which lives, is.
 *
 * @param runtimeDir - Where this process has its socket, for others to find it.
 * @throws `HOST_FAILED` if no lock can be made there.
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
    // What we knew was out of date: others have come and gone meanwhile. There is a higher one, so ours means nothing.
    removeIfThere(lockPath(directory, slot, generation));
  }
}

/** A lock that this process owns. It is left where it is when the process ends: a dead owner's counts for nothing. */
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

  /** Whether the slot is still ours. Mends what a tidy-up has taken away, where nobody has come in between. */
  keep(): boolean {
    const lock = readLock(this.#directory, this.#slot);
    const self = describeProcess(process.pid, this.#runtimeDir);
    if (lock === null) createLock(this.#directory, this.#slot, this.generation, self);
    else if (!isSelf(lock.owner)) return false;
    touch(this.#directory);
    return true;
  }

  /** Makes another process the owner. False if there is no such process. */
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

/** The lock that counts, or null. One that cannot be read counts as of a dead owner. */
export function readLock(directory: string, slot: number): Lock | null {
  for (;;) {
    const generation = highestGeneration(directory, slot);
    if (generation === null) return null;
    const text = readIfThere(lockPath(directory, slot, generation));
    // Gone in between: then there is a higher one.
    if (text !== null) return { generation, owner: parseOwner(text) };
  }
}

/** Whether a lock's owner runs: the same process, not another that was given its number, and not a mere zombie. */
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

/** False if that generation exists already. */
function createLock(directory: string, slot: number, generation: number, owner: LockOwner): boolean {
  const path = lockPath(directory, slot, generation);
  try {
    symlinkSync(`${owner.pid}:${owner.startTime ?? ''}:${owner.runtimeDir}`, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    const message = `${path}, which is to prove whose terminals these are, cannot be made: ${(cause as Error).message}`;
    throw new TerminalError('HOST_FAILED', `${message}. Mend it, or set TENACITTY_DATA_DIR.`, { path }, { cause });
  }
}

const NOBODY: LockOwner = { pid: Number.MAX_SAFE_INTEGER, startTime: null, runtimeDir: '' };

/** Locks appear complete, so that one that makes no sense is not ours: somebody has made it. */
function parseOwner(text: string): LockOwner {
  const [, pid, startTime, runtimeDir] = /^(\d{1,10}):(\d{0,15}):(.+)$/s.exec(text) ?? [];
  if (pid === undefined || runtimeDir === undefined) return NOBODY;
  return { pid: Number(pid), startTime: startTime === '' ? null : Number(startTime), runtimeDir };
}

function highestGeneration(directory: string, slot: number): number | null {
  const all = generations(directory, slot);
  return all.length === 0 ? null : Math.max(...all);
}

/** Few names, so that the system gives them in one piece: none is missed that was there all the time. */
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
    // No link at all.
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
