/** The end of an agent: how it is told of, and how it is brought about with all it has started. It knows no protocol. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { HAS_PROCESS_TABLE, takeSnapshot } from '../processes/process-table.js';
import type { MarkedProcess, ProcessSnapshot } from '../processes/process-table.js';
import type { TerminalExit } from './display.js';

/** How long processes may take to end when they are told to, before SIGKILL. */
const GRACE_MS = 2000;
const LOOK_MS = 50;

/** Resolves when it has ended; others that it started may still run. Rejects if it could not be started. */
export async function exitOf(child: ChildProcess): Promise<TerminalExit> {
  const [exitCode, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { exitCode, signal };
}

/**
 * Resolves when nothing of it is left, or nothing more can be done.
 *
 * @param session - The process that was started in a session of its own; it may have ended.
 */
export async function endTree(session: number): Promise<void> {
  await signalAll(session, 'SIGTERM');
  const end = Date.now() + GRACE_MS;
  while ((await isThere(session)) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await signalAll(session, 'SIGKILL');
}

/** Looked at before anybody is told: whoever loses its parent is not found any more. */
async function signalAll(session: number, name: NodeJS.Signals): Promise<void> {
  const tree = await treeOf(session);
  signalGroup(session, name);
  for (const { pid } of tree) signal(pid, name);
}

async function isThere(session: number): Promise<boolean> {
  if (HAS_PROCESS_TABLE) return (await treeOf(session)).length > 0;
  return signalGroup(session, 0);
}

/** The processes of the session, and what has left it but comes from one of them. */
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

/** Answers whether there was somebody to take it. */
function signalGroup(group: number, name: NodeJS.Signals | 0): boolean {
  return signal(-group, name);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // It has ended.
    return false;
  }
}
