/**
 * Identifies what a process's descriptors refer to. Uses device numbers, because paths can have a different meaning in
 * the process's mount namespace.
 */
import { readdirSync, statSync } from 'node:fs';

/** Maximum number of descriptors that are examined per process. */
const MAX_DESCRIPTORS = 256;
/** Major numbers of Linux pseudo-terminals. */
const FIRST_PTS_MAJOR = 136;
const LAST_PTS_MAJOR = 143;
/** Device number of the master side of every pseudo-terminal, which a relay reads the inner terminal's output from. */
const MASTER = (5 << 8) | 2;

/**
 * Returns the device number that a descriptor refers to; null if there is no such descriptor or the number cannot be
 * determined.
 */
export function deviceOf(pid: number, fd: number): number | null {
  try {
    return statSync(`/proc/${pid}/fd/${fd}`).rdev;
  } catch {
    return null;
  }
}

export function isPseudoTerminal(device: number): boolean {
  const major = (device >> 8) & 0xfff;
  return major >= FIRST_PTS_MAJOR && major <= LAST_PTS_MAJOR;
}

export function isMaster(pid: number, fd: number): boolean {
  return deviceOf(pid, fd) === MASTER;
}

/** Returns whether a process has a pseudo-terminal master open; null if that cannot be determined. */
export function holdsMaster(pid: number): boolean | null {
  try {
    const open = readdirSync(`/proc/${pid}/fd`).slice(0, MAX_DESCRIPTORS);
    return open.some((fd) => isMaster(pid, Number(fd)));
  } catch {
    return null;
  }
}
