/** Detects the end of an agent, and ends an agent together with all processes that it has started. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { HAS_PROCESS_TABLE, takeSnapshot } from '../processes/process-table.js';
import type { MarkedProcess, ProcessSnapshot } from '../processes/process-table.js';
import type { TerminalExit } from './display.js';

/** Time that processes have to end after SIGTERM, before they receive SIGKILL. */
const GRACE_MS = 2000;
const LOOK_MS = 50;

/**
 * Resolves when the process has ended, even if processes that it started are still running. Rejects if it could not be
 * started.
 */
export async function exitOf(child: ChildProcess): Promise<TerminalExit> {
  const [exitCode, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { exitCode, signal };
}

/**
 * Ends all processes of a session. Resolves when no process is left or nothing more can be done.
 *
 * @param session - Id of the session's first process, which may already have ended.
 */
export async function endTree(session: number): Promise<void> {
  await signalAll(session, 'SIGTERM');
  const end = Date.now() + GRACE_MS;
  while ((await isThere(session)) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await signalAll(session, 'SIGKILL');
}

/**
 * Signals all processes of a session. Collects them first, because a process whose parent has ended can no longer be
 * found.
 */
async function signalAll(session: number, name: NodeJS.Signals): Promise<void> {
  const tree = await treeOf(session);
  signalGroup(session, name);
  for (const { pid } of tree) signal(pid, name);
}

async function isThere(session: number): Promise<boolean> {
  if (HAS_PROCESS_TABLE) return (await treeOf(session)).length > 0;
  return signalGroup(session, 0);
}

/** Returns the processes of the session, including descendants that have left it. */
async function treeOf(session: number): Promise<MarkedProcess[]> {
  if (!HAS_PROCESS_TABLE) return [];
  const snapshot = await takeSnapshot();
  const found = new Map<number, MarkedProcess>();
  for (const member of snapshot.bySession.get(session) ?? []) addWithChildren(member, snapshot, found);
  return [...found.values()].filter(({ isGone, pid }) => !isGone && pid !== process.pid);
}

function addWithChildren(member: MarkedProcess, snapshot: ProcessSnapshot, found: Map<number, MarkedProcess>): void {
  if (found.has(member.pid)) return;
  found.set(member.pid, member);
  for (const child of snapshot.byParent.get(member.pid) ?? []) addWithChildren(child, snapshot, found);
}

/** Signals a group. Returns whether it had a process to signal. */
function signalGroup(group: number, name: NodeJS.Signals | 0): boolean {
  return signal(-group, name);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // The group has ended.
    return false;
  }
}
