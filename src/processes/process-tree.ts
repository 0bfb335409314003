/**
 * Determines which processes in a snapshot belong to a terminal. If it is uncertain whether a process belongs to a
 * terminal, it does not count as belonging, because killing an unrelated process is worse than leaving one behind.
 * Pure: reads nothing and sends no signals.
 */
import type { MarkedProcess, ProcessInfo, ProcessSnapshot } from './process-table.js';

/** A terminal as seen in the process table. */
export interface TerminalProcesses {
  /** Pid of the program that was started in the terminal. The program may have ended. */
  readonly pid: number;
  /** When that program started, which distinguishes it from a later process with the same pid. */
  readonly startTime?: number | null;
  readonly terminalId: string;
}

/** Processes that an earlier snapshot showed to belong to the terminal, by pid. */
export type KnownProcesses = ReadonlyMap<number, { readonly startTime: number }>;

const INIT_PID = 1;

/**
 * Returns the live processes of a terminal: its program, all processes with its mark, and all that are `known`; their
 * descendants; and all processes in a session that one of these processes leads or led. Never includes this process or
 * pid 1.
 */
export function membersOf(
  snapshot: ProcessSnapshot,
  target: TerminalProcesses,
  known: KnownProcesses = new Map(),
): MarkedProcess[] {
  const members = new Map<number, MarkedProcess>();
  const queue: MarkedProcess[] = [];
  const add = (process: MarkedProcess): void => {
    if (members.has(process.pid) || !mayBelong(process)) return;
    members.set(process.pid, process);
    queue.push(process);
  };
  evidentMembers(snapshot, target, known).forEach(add);
  for (let member = queue.pop(); member; member = queue.pop()) {
    relativesOf(snapshot, target, member).forEach(add);
  }
  return [...members.values()].filter((process) => !process.isGone);
}

function mayBelong({ pid }: ProcessInfo): boolean {
  return pid > INIT_PID && pid !== process.pid;
}

function evidentMembers(snapshot: ProcessSnapshot, target: TerminalProcesses, known: KnownProcesses): MarkedProcess[] {
  const { byPid, byTerminalId } = snapshot;
  const seenBefore = [...known].map(([pid, { startTime }]) => ({ process: byPid.get(pid), startTime }));
  const root = byPid.get(target.pid);
  return [
    ...(root && isRoot(root, target) ? [root] : []),
    ...(byTerminalId.get(target.terminalId) ?? []),
    ...seenBefore.flatMap(({ process, startTime }) => (process?.startTime === startTime ? [process] : [])),
    ...[...known].flatMap(([pid, leader]) => orphansOf(snapshot, target, pid, leader.startTime)),
  ];
}

/**
 * Returns the remaining processes in the session of a known leader that has ended. If they started between two
 * snapshots, they may have neither a mark nor a parent in the terminal. The kernel does not reuse a session's number as
 * long as the session has a process.
 */
function orphansOf(
  { byPid, bySession }: ProcessSnapshot,
  target: TerminalProcesses,
  leader: number,
  startTime: number,
): MarkedProcess[] {
  if (byPid.has(leader)) return [];
  const mates = bySession.get(leader) ?? [];
  return mates.filter((mate) => mate.startTime >= startTime && isUnmarkedOrOf(target, mate));
}

function isUnmarkedOrOf({ terminalId }: TerminalProcesses, process: { terminalId?: string | null }): boolean {
  return (process.terminalId ?? terminalId) === terminalId;
}

/**
 * Returns whether a process is the terminal's program. If the program's start time is unknown, a process with its pid
 * counts if it is a child of this process and does not have the mark of another terminal.
 */
export function isRoot(candidate: ProcessInfo & { terminalId?: string | null }, target: TerminalProcesses): boolean {
  if (candidate.pid !== target.pid) return false;
  if (target.startTime !== undefined && target.startTime !== null) return candidate.startTime === target.startTime;
  return candidate.parent === process.pid && isUnmarkedOrOf(target, candidate);
}

function relativesOf(snapshot: ProcessSnapshot, target: TerminalProcesses, member: MarkedProcess): MarkedProcess[] {
  const children = snapshot.byParent.get(member.pid) ?? [];
  const ownsSession = member.session === target.pid || member.session === member.pid;
  const mates = ownsSession ? (snapshot.bySession.get(member.session) ?? []) : [];
  return [
    ...children.filter((child) => child.startTime >= member.startTime),
    ...mates.filter((mate) => isUnmarkedOrOf(target, mate)),
  ];
}
