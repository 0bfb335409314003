/**
 * Determines the foreground process of a terminal, and the name and directory of a process. Queries the kernel each
 * time and caches nothing.
 */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { printable } from '../printable.js';
import { readProc, readProcess } from './process-table.js';

/** The maximum length of a file name. */
const MAX_NAME_CHARS = 255;

export interface ForegroundProcess {
  readonly pid: number;
  readonly name: string;
}

/** Returns the foreground process of the terminal that `pid` belongs to, or null if it is unknown. */
export function foregroundOf(pid: number): ForegroundProcess | null {
  const group = readProcess(pid)?.foregroundGroup ?? -1;
  if (group <= 0) return null;
  const member = isRunning(group) ? group : childInGroup(pid, group);
  const name = member === null ? null : nameOf(member);
  return member === null || name === null ? null : { pid: member, name };
}

/**
 * Returns the directory of a process; null if the process has exited, if this user has no permission to query it, or if
 * its directory has been removed. Also returns null for a child that has not yet executed its program: it is still a
 * copy of this process, in this process's directory.
 */
export function directoryOf(pid: number): string | null {
  try {
    if (isStillUs(pid)) return null;
    const path = readlinkSync(`/proc/${pid}/cwd`);
    return path.endsWith(' (deleted)') ? null : path;
  } catch {
    return null;
  }
}

/**
 * Returns whether a process is a child between fork and exec: if so, its environment is at the same address as that of
 * this process.
 */
function isStillUs(pid: number): boolean {
  const address = readProcess(pid)?.environmentAddress ?? 0;
  return address !== 0 && address === readProcess(process.pid)?.environmentAddress;
}

function isRunning(pid: number): boolean {
  return readProcess(pid)?.isGone === false;
}

/**
 * Returns the name of a process: its first argument or, if that is not a plain name, its name according to the kernel.
 * A program chooses both, so unprintable characters, which could disguise it, are replaced.
 */
export function nameOf(pid: number): string | null {
  const program = readProc(pid, 'cmdline')?.toString('utf8').split('\0')[0] ?? '';
  const isPlain = program !== '' && !program.includes(' ');
  const name = isPlain ? basename(program).replace(/^-/, '') : readProc(pid, 'comm')?.toString('utf8').trim();
  return name === undefined ? null : printable(name).slice(0, MAX_NAME_CHARS);
}

/** Returns the pids of the children that a process's main thread started. */
export function childrenOf(pid: number): number[] {
  const text = readProc(pid, `task/${pid}/children`)?.toString('latin1').trim() ?? '';
  return text === '' ? [] : text.split(' ').map(Number);
}

/**
 * Returns a running child in a process group. A group can outlive its leader: in `true | sleep 9`, a child remains in
 * it.
 */
function childInGroup(pid: number, group: number): number | null {
  return childrenOf(pid).find((child) => isRunning(child) && readProcess(child)?.group === group) ?? null;
}
