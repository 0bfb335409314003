/**
 * Which processes of a snapshot belong to a terminal. Pure: it reads nothing and signals nothing. When in
 * doubt a process does not belong: ending a stranger is worse than leaving something behind.
 */
import type { MarkedProcess, ProcessInfo, ProcessSnapshot } from './process-table.js';

/** A terminal as the process table knows it. */
export interface TerminalProcesses {
  /** The program started in the terminal, which may have ended. */
  readonly pid: number;
  /** When that program started; with it, another process that was given the same pid later is told apart. */
  readonly startTime?: number | null;
  readonly terminalId: string;
}

/** Processes known to be the terminal's, by pid: from a snapshot taken before. */
export type KnownProcesses = ReadonlyMap<number, { readonly startTime: number }>;

const INIT_PID = 1;

/**
 * The living processes of a terminal: its program, all that carry its mark, all that are `known`; their
 * descendants; and whoever is in a session that is, or was, led by one of them. Never this process, nor pid 1.
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
 * Who is left in the session of a leader that was known and has ended: started between two snapshots, they may have
 * neither mark nor parent. The kernel gives nobody the number of a session that still has a process.
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

/** Without a known start time the program is told by being our child and not another terminal's program. */
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
