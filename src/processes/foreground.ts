/**
 * Which process has the foreground of a terminal, what it is called, and what directory a process is in. It
 * asks the kernel each time, and keeps nothing.
 */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { readProc, readProcess } from './process-table.js';

export interface ForegroundProcess {
  readonly pid: number;
  readonly name: string;
}

/** The process that has the foreground of the terminal which `pid` belongs to, or null if that is not known. */
export function foregroundOf(pid: number): ForegroundProcess | null {
  const group = readProcess(pid)?.foregroundGroup ?? -1;
  if (group <= 0) return null;
  const member = isRunning(group) ? group : childInGroup(pid, group);
  const name = member === null ? null : nameOf(member);
  return member === null || name === null ? null : { pid: member, name };
}

/**
 * The directory a process is in; null if it is gone, may not be asked, or its directory was removed, and for a child
 * that has not begun its program: it is still a copy of this process, in the directory of this process.
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

/** Whether a process has the environment of this one where this one has it: a child between fork and exec. */
function isStillUs(pid: number): boolean {
  const address = readProcess(pid)?.environmentAddress ?? 0;
  return address !== 0 && address === readProcess(process.pid)?.environmentAddress;
}

function isRunning(pid: number): boolean {
  return readProcess(pid)?.isGone === false;
}

/** What a process is called: by its own first argument, or where that is no plain name, by the kernel. */
export function nameOf(pid: number): string | null {
  const program = readProc(pid, 'cmdline')?.toString('utf8').split('\0')[0] ?? '';
  if (program !== '' && !program.includes(' ')) return basename(program).replace(/^-/, '');
  return readProc(pid, 'comm')?.toString('utf8').trim() ?? null;
}

/** Process ids of the children of a process, as far as its main thread has begun them. */
export function childrenOf(pid: number): number[] {
  const text = readProc(pid, `task/${pid}/children`)?.toString('latin1').trim() ?? '';
  return text === '' ? [] : text.split(' ').map(Number);
}

/** A group outlives its leader: in `true | sleep 9`, a child of the shell that is still in the group. */
function childInGroup(pid: number, group: number): number | null {
  return childrenOf(pid).find((child) => isRunning(child) && readProcess(child)?.group === group) ?? null;
}
