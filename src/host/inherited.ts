/**
 * Closes descriptors that a host inherited unintentionally. A host far outlives its starter, and the reader of a pipe
 * that the host held open would never see end-of-file.
 */
import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes inherited descriptors numbered `first` or higher. Node sets close-on-exec on everything it opens, so a
 * descriptor without that flag was inherited at process start. Does nothing without /proc (macOS).
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
    // The descriptor that was used to read the list.
    return false;
  }
}
