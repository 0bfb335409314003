/**
 * Proves that there is one host in a slot, by files alone. A lock is a file that names its owner; its number is its
 * generation, and the highest one counts. Whoever finds the owner of the highest dead creates the next. It knows
 * neither sockets nor terminals.
 *
 * Why that is safe: a file appears complete (it is written aside and then linked, which fails if the name exists), and
 * the highest is never removed, so that the highest number never falls. Who has linked a file and then sees none higher
 * is the owner: another could only follow who read that very file and found its owner dead.
 */
import { linkSync, readdirSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { HAS_PROCESS_TABLE, readProcess, startTimeOf } from '../terminal/process-table.js';

const lockOwner = z.object({
  pid: z.int().positive(),
  /** In clock ticks since boot: a number may be given to another process later. Null where that is not known. */
  startTime: z.int().nullable(),
  bootId: z.string(),
});
export type LockOwner = z.infer<typeof lockOwner>;

export interface Lock {
  readonly generation: number;
  readonly owner: LockOwner;
}

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

/** Makes this process the owner of a slot. Null if another process, which lives, is. */
export function acquireLock(directory: string, slot: number): HeldLock | null {
  for (;;) {
    const lock = readLock(directory, slot);
    const isOurs = lock !== null && isSelf(lock.owner);
    if (isOurs) return new HeldLock(directory, slot, lock.generation);
    if (lock !== null && isAlive(lock.owner)) return null;
    const generation = (lock?.generation ?? 0) + 1;
    if (!createLock(directory, slot, generation, describeProcess(process.pid))) continue;
    if (highestGeneration(directory, slot) === generation) return new HeldLock(directory, slot, generation);
    // What we knew was out of date: others have come and gone meanwhile. There is a higher one, so ours means nothing.
    unlinkSync(lockPath(directory, slot, generation));
  }
}

/** A lock that this process owns. It is left where it is when the process ends: a dead owner's counts for nothing. */
export class HeldLock {
  readonly #directory: string;
  readonly #slot: number;
  readonly generation: number;

  constructor(directory: string, slot: number, generation: number) {
    this.#directory = directory;
    this.#slot = slot;
    this.generation = generation;
    this.#removeLower();
  }

  /** Whether the slot is still ours. Mends what a tidy-up has taken away, where nobody has come in between. */
  keep(): boolean {
    const lock = readLock(this.#directory, this.#slot);
    if (lock === null) createLock(this.#directory, this.#slot, this.generation, describeProcess(process.pid));
    else if (!isSelf(lock.owner)) return false;
    else this.#touch(lock.generation);
    return true;
  }

  /** Makes another process the owner. False if there is no such process. */
  passTo(pid: number): boolean {
    const next = describeProcess(pid);
    if (HAS_PROCESS_TABLE && next.startTime === null) return false;
    return createLock(this.#directory, this.#slot, this.generation + 1, next);
  }

  /** Old files are what tidy-ups look for. */
  #touch(generation: number): void {
    const now = new Date();
    utimesSync(lockPath(this.#directory, this.#slot, generation), now, now);
  }

  #removeLower(): void {
    for (const generation of generations(this.#directory, this.#slot)) {
      if (generation < this.generation) removeIfThere(lockPath(this.#directory, this.#slot, generation));
    }
  }
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
export function isAlive({ pid, startTime, bootId }: LockOwner): boolean {
  if (bootId !== currentBootId()) return false;
  if (!HAS_PROCESS_TABLE) return exists(pid);
  const found = readProcess(pid);
  return found !== null && !found.isGone && found.startTime === startTime;
}

function isSelf({ pid, startTime, bootId }: LockOwner): boolean {
  return pid === process.pid && bootId === currentBootId() && startTime === startTimeOf(process.pid);
}

function describeProcess(pid: number): LockOwner {
  return { pid, startTime: startTimeOf(pid), bootId: currentBootId() };
}

/** False if that generation exists already. */
function createLock(directory: string, slot: number, generation: number, owner: LockOwner): boolean {
  const aside = join(directory, `host-${slot}.claim.${process.pid}`);
  writeFileSync(aside, JSON.stringify(owner), { mode: 0o600 });
  try {
    linkSync(aside, lockPath(directory, slot, generation));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    removeIfThere(aside);
  }
}

const NOBODY: LockOwner = { pid: Number.MAX_SAFE_INTEGER, startTime: null, bootId: '' };

function parseOwner(text: string): LockOwner {
  try {
    return lockOwner.parse(JSON.parse(text));
  } catch {
    // Files appear complete, so this one is not ours: somebody wrote into it.
    return NOBODY;
  }
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

function currentBootId(): string {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
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
