/**
 * Identifies the place where a pid is meaningful: a pid namespace of one boot of one machine. A container has its own
 * namespace.
 */
import { readFileSync, readlinkSync } from 'node:fs';

/** Returns the boot id and the pid namespace. Each is an empty string if the system has none (macOS). */
export function pidNumbering(): readonly [bootId: string, namespace: string] {
  const bootId = orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return [bootId, orEmpty(() => readlinkSync('/proc/self/ns/pid'))];
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
