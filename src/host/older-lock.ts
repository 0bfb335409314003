/**
 * Locks as hosts of version 0.1 hold them: files of JSON beside their sockets. They are read, so that nobody takes such
 * a host's slot, and never made; a host of this version that takes its terminals over has a lock of its own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive } from './lock.js';
import type { LockOwner } from './lock.js';

const olderOwner = z.object({ pid: z.int().positive(), startTime: z.int().nullable(), bootId: z.string() });
const NAME = /^host-(\d+)\.lock\.(\d+)$/;

/** Owners that live, by slot. None if there is no such directory, as is normal. */
export function olderOwners(directory: string, bootId: string): Map<number, LockOwner> {
  const owners = new Map<number, LockOwner>();
  for (const [slot, generation] of highestGenerations(directory)) {
    const owner = readOwner(join(directory, `host-${slot}.lock.${generation}`));
    if (owner?.bootId === bootId && isAlive(owner)) owners.set(slot, { ...owner, runtimeDir: null });
  }
  return owners;
}

function highestGenerations(directory: string): Map<number, number> {
  const highest = new Map<number, number>();
  for (const name of namesIn(directory)) {
    const [, slot, generation] = NAME.exec(name)?.map(Number) ?? [];
    if (slot !== undefined) highest.set(slot, Math.max(generation!, highest.get(slot) ?? 0));
  }
  return highest;
}

function readOwner(path: string): z.infer<typeof olderOwner> | null {
  try {
    return olderOwner.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Gone meanwhile, or not made by a host.
    return null;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Not there, or not ours to look into: whoever makes a socket there will say so.
    return [];
  }
}
