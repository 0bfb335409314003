/**
 * Reads the kernel's process table from /proc: single processes, and snapshots of all processes, which concurrent
 * callers share. Without /proc (macOS), the table is empty. Recognises terminals only by the mark in the environment of
 * their processes. Sends no signals.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { shared } from '../turns.js';

/** Whether this system has a readable process table. */
export const HAS_PROCESS_TABLE = process.platform === 'linux' && existsSync('/proc/self/stat');

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Foreground process group of its terminal, or -1. */
  readonly foregroundGroup: number;
  /** Device number of its controlling terminal, the `rdev` of the terminal's file; 0 if there is none. */
  readonly terminalDevice: number;
  /** CPU time used so far, in clock ticks. */
  readonly cpuTicks: number;
  readonly threads: number;
  /** In clock ticks since boot. A pid can be reused, but the combination of pid and start time is unique. */
  readonly startTime: number;
  /** Address of its environment, which changes with each exec. 0 if unknown. */
  readonly environmentAddress: number;
  /** Whether it is a zombie, that is, it has ended but its parent has not reaped it yet. */
  readonly isGone: boolean;
}

/** A process in a snapshot. */
export interface MarkedProcess extends ProcessInfo {
  /** The terminal id in its environment; null if there is none, or if the environment cannot be read. */
  readonly terminalId: string | null;
}

/** All processes at about one moment, indexed for the supported look-ups. */
export interface ProcessSnapshot {
  readonly byPid: ReadonlyMap<number, MarkedProcess>;
  readonly byParent: ReadonlyMap<number, readonly MarkedProcess[]>;
  readonly bySession: ReadonlyMap<number, readonly MarkedProcess[]>;
  readonly byTerminalId: ReadonlyMap<string, readonly MarkedProcess[]>;
}

/** Reads one process; returns null if there is none with this pid. */
export function readProcess(pid: number): ProcessInfo | null {
  const stat = readProcText(pid, 'stat');
  return stat ? parseStat(pid, stat) : null;
}

/** Returns when the process with this pid started, in clock ticks since boot; null if there is none. Never throws. */
export function startTimeOf(pid: number): number | null {
  try {
    return readProcess(pid)?.startTime ?? null;
  } catch {
    // This process has run out of descriptors. The other process can still be identified by its mark.
    return null;
  }
}

/**
 * Returns whether a process is stopped, for example by Ctrl-Z. A stopped process does nothing, although its system call
 * does not change.
 */
export function isStopped(pid: number): boolean {
  return /^State:\s+[Tt]/m.test(readProcText(pid, 'status') ?? '');
}

/** Returns whether a process ignores this signal. */
export function ignoresSignal(pid: number, signal: NodeJS.Signals): boolean {
  const mask = /^SigIgn:\s*([0-9a-f]+)/m.exec(readProc(pid, 'status')?.toString('latin1') ?? '')?.[1];
  const bit = BigInt(constants.signals[signal] - 1);
  return mask !== undefined && ((BigInt(`0x${mask}`) >> bit) & 1n) === 1n;
}

/**
 * Reads the whole table. The scan starts after the call, so the snapshot reflects everything that was true before it.
 * Callers that arrive before the scan starts share its result, so that many terminals that end at the same time cost no
 * more than one.
 */
export const takeSnapshot: () => Promise<ProcessSnapshot> = shared(scan);

/** Number of processes that are read in one turn of the event loop, which takes a few milliseconds. */
const PROCESSES_PER_TURN = 100;

/**
 * Maximum number of times that the table is read for one snapshot. A process can fork and end during a read, so the
 * table is read again until there is nothing new.
 */
const MAX_ROUNDS = 8;

async function scan(): Promise<ProcessSnapshot> {
  const found = new Map<number, MarkedProcess>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fresh = listPids().filter((pid) => !found.has(pid));
    if (fresh.length === 0) break;
    for (const [index, pid] of fresh.entries()) {
      if (index % PROCESSES_PER_TURN === PROCESSES_PER_TURN - 1) await nextTurn();
      const info = readProcess(pid);
      if (info) found.set(pid, { ...info, terminalId: markOf(info) });
    }
  }
  forgetMarksExcept(found);
  return indexProcesses(found.values());
}

/** Builds a snapshot from processes. */
export function indexProcesses(processes: Iterable<MarkedProcess>): ProcessSnapshot {
  const all = [...processes];
  return {
    byPid: new Map(all.map((process) => [process.pid, process])),
    byParent: groupBy(all, (process) => process.parent),
    bySession: groupBy(all, (process) => process.session),
    byTerminalId: groupBy(all, (process) => process.terminalId),
  };
}

function groupBy<Key>(
  processes: readonly MarkedProcess[],
  keyOf: (process: MarkedProcess) => Key | null,
): Map<Key, MarkedProcess[]> {
  const groups = new Map<Key, MarkedProcess[]>();
  for (const process of processes) {
    const key = keyOf(process);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(process);
    else groups.set(key, [process]);
  }
  return groups;
}

/** Cached marks, by pid. The environment is read once for each program that a process executes. */
const knownMarks = new Map<number, { readonly process: ProcessInfo; readonly terminalId: string | null }>();

function markOf(process: ProcessInfo): string | null {
  const { pid, startTime, environmentAddress } = process;
  const known = knownMarks.get(pid);
  const isSame = known?.process.startTime === startTime && known.process.environmentAddress === environmentAddress;
  if (known && isSame) return known.terminalId;
  const terminalId = parseMark(readProc(pid, 'environ')?.toString('latin1') ?? '');
  knownMarks.set(pid, { process, terminalId });
  return terminalId;
}

function forgetMarksExcept(alive: ReadonlyMap<number, unknown>): void {
  for (const pid of knownMarks.keys()) if (!alive.has(pid)) knownMarks.delete(pid);
}

/** The environment variable that marks every process of a terminal with the terminal's id. */
export const TERMINAL_MARK = 'TENACITTY_TERMINAL_ID';
const ENVIRONMENT_MARK = new RegExp(`(?:^|\\0)${TERMINAL_MARK}=([^\\0]*)`);

function parseMark(environment: string): string | null {
  return ENVIRONMENT_MARK.exec(environment)?.[1] ?? null;
}

function listPids(): number[] {
  if (!HAS_PROCESS_TABLE) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid));
}

/** Error codes for a process that has ended or belongs to another user. */
const GONE_OR_HIDDEN = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

/**
 * Reads a file of a process. Returns null if the process has exited or this user has no permission to examine it.
 * Throws if this process has run out of descriptors.
 */
export function readProc(pid: number, file: string): Buffer | null {
  return unlessHidden(() => readFileSync(`/proc/${pid}/${file}`));
}

/** Like `readProc`, but for a file that contains only text. Twice as fast. */
export function readProcText(pid: number, file: string): string | null {
  return unlessHidden(() => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
}

function unlessHidden<Content>(read: () => Content): Content | null {
  if (!HAS_PROCESS_TABLE) return null;
  try {
    return read();
  } catch (error) {
    if (GONE_OR_HIDDEN.includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/**
 * Parses /proc/PID/stat, whose fields are numbered as in proc(5). After the program's name, the text continues with the
 * state, field 3.
 */
function parseStat(pid: number, stat: string): ProcessInfo {
  // The second field is the program's name in parentheses. The name itself can contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    pid,
    parent: field(4),
    group: field(5),
    session: field(6),
    terminalDevice: field(7),
    foregroundGroup: field(8),
    cpuTicks: field(14) + field(15),
    threads: field(20),
    startTime: field(22),
    environmentAddress: field(50),
    // A process whose main thread has ended looks like a zombie, but still has other threads (field 20).
    isGone: /[ZX]/.test(fields[0] ?? 'X') && field(20) <= 1,
  };
}
