/** Memory and CPU time of processes, as the kernel counts them (Linux). */
import { readFileSync } from 'node:fs';
import { mbFromKib } from './numbers.js';

/** The unit of times in /proc on every Linux that Node supports. */
const TICKS_PER_S = 100;
/** Indexes of fields after the command in /proc/…/stat. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/**
 * Their proportional set size, in which each shared page is divided among its processes, so that sums are meaningful.
 */
export function pssMb(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + pssOf(pid), 0);
}

function pssOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return mbFromKib(Number(/^Pss:\s+(\d+)/m.exec(rollup)![1]));
}

/** User and system time of processes since their start. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * 1000) / TICKS_PER_S;
}
