/**
 * Descriptors that a host was given by whoever started it, though nobody meant to: a host outlives that process by
 * far, and a pipe that it held open would never end for its reader. It knows nothing of hosts.
 */
import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes what was inherited, from a number on. Node marks all that it opens itself as not to be inherited, so what is
 * not marked came with the start of this process. Does nothing without /proc (macOS).
 */
export function closeInherited(first: number): void {
  for (const fd of openDescriptors()) if (fd >= first && isInherited(fd)) closeSync(fd);
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The one by which the list was read.
    return false;
  }
}
