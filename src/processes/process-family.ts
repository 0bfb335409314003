/**
 * Finds a process and its descendants by walking from parents to children instead of scanning the whole process table.
 */
import { readdirSync } from 'node:fs';
import { readProcess, readProcText } from './process-table.js';
import type { ProcessInfo } from './process-table.js';

/** Maximum number of processes that are visited. Beyond that, the walk costs more than it gains. */
const MAX_PROCESSES = 512;

export interface FamilyMember extends ProcessInfo {
  readonly children: readonly FamilyMember[];
}

export interface ProcessFamily {
  readonly root: FamilyMember;
  /** The root and its descendants, parents before children, without those that have ended. */
  readonly members: readonly FamilyMember[];
  /** Whether no descendant was left out. */
  readonly isWhole: boolean;
}

/** Returns the family of a process; null if there is no such process. */
export function familyOf(pid: number): ProcessFamily | null {
  const info = readProcess(pid);
  if (info === null || info.isGone) return null;
  const root = { ...info, children: [] as FamilyMember[] };
  const members = [root];
  for (const member of members) {
    for (const child of childrenOf(member)) {
      if (members.length === MAX_PROCESSES) return { root, members, isWhole: false };
      const grown = { ...child, children: [] };
      member.children.push(grown);
      members.push(grown);
    }
  }
  return { root, members, isWhole: true };
}

/** Returns the threads of a process, the main thread first. */
export function threadsOf({ pid, threads }: ProcessInfo): number[] {
  if (threads <= 1) return [pid];
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    // It has just ended.
    return [];
  }
}

/** Returns the children of a process. Each of its threads has its own list of children. */
function childrenOf(process: ProcessInfo): ProcessInfo[] {
  return threadsOf(process).flatMap((thread) => {
    const pids = readProcText(process.pid, `task/${thread}/children`)?.trim() ?? '';
    return pids === '' ? [] : pids.split(' ').flatMap((child) => livingProcess(Number(child)));
  });
}

function livingProcess(pid: number): ProcessInfo[] {
  const info = readProcess(pid);
  return info === null || info.isGone ? [] : [info];
}
