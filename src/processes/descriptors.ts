/**
 * What the descriptors of a process lead to, by the numbers of devices: paths may mean something else where the process
 * is. It knows no system calls.
 */
import { readdirSync, statSync } from 'node:fs';

/** Descriptors of one process that are looked at. */
const MAX_DESCRIPTORS = 256;
/** Major numbers of the pseudo-terminals of Linux. */
const FIRST_PTS_MAJOR = 136;
const LAST_PTS_MAJOR = 143;
/** The other side of every pseudo-terminal, from which a relay reads what is printed within. */
const MASTER = (5 << 8) | 2;

/** Device number of what a descriptor leads to; null if that may not be known, or there is no such descriptor. */
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

/** Whether a process has a pseudo-terminal of its own making; null if that may not be known. */
export function holdsMaster(pid: number): boolean | null {
  try {
    const open = readdirSync(`/proc/${pid}/fd`).slice(0, MAX_DESCRIPTORS);
    return open.some((fd) => isMaster(pid, Number(fd)));
  } catch {
    return null;
  }
}
