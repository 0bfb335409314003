/** Ends all processes of a terminal, without waiting longer than they take to exit, and sends them signals. */
import { setTimeout as delay } from 'node:timers/promises';
import type { SignalName } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import { HAS_PROCESS_TABLE, ignoresSignal, readProcess, takeSnapshot, type ProcessInfo } from './process-table.js';
import { isRoot, membersOf, type TerminalProcesses } from './process-tree.js';

/** Interval between checks whether processes have exited, which doubles from the minimum to the maximum. */
const MIN_STEP_MS = 2;
const MAX_STEP_MS = 32;
/** How often remaining processes that received SIGHUP are woken. */
const NUDGE_MS = 200;

/**
 * How long SIGKILL may take: the kernel needs time to end a process that is deep in a system call or waiting for a
 * core.
 */
const FORCE_MS = 6000;

export interface KillOptions {
  /** The first signal. */
  readonly signal: SignalName;
  /** How long processes may take to exit before they receive SIGKILL; 0 sends SIGKILL at once. */
  readonly graceMs: number;
}

/**
 * Ends all processes of a terminal. Resolves as soon as all have exited, to the pids of those that survive even
 * SIGKILL; normally there are none.
 *
 * Some processes ignore the signal, as an interactive shell ignores SIGTERM. When only such processes are left, they
 * get SIGHUP. An idle shell therefore exits at once, whereas a program that traps the signal to clean up gets the whole
 * grace period, and the processes that it starts to clean up are left alone. SIGKILL follows after the grace period.
 * Also ends processes that were left behind in a terminal whose program has already ended.
 */
export async function killTree(target: TerminalProcesses, { signal, graceMs }: KillOptions): Promise<number[]> {
  const kill = new TreeKill(target);
  if (signal !== 'SIGKILL' && graceMs > 0 && (await kill.terminate(signal, graceMs))) return [];
  return kill.force();
}

/**
 * Sends a signal to the terminal's foreground process group, or to all its processes. Resolves to the number of groups
 * or processes that received it; 0 if none are left.
 */
export async function signalTerminal(
  target: TerminalProcesses,
  signal: SignalName,
  scope: 'foreground' | 'all',
): Promise<number> {
  if (scope === 'foreground' || !HAS_PROCESS_TABLE) return Number(signalForeground(target, signal));
  const members = membersOf(await takeSnapshot(), target);
  return members.filter((member) => sendTo(member, signal)).length;
}

function signalForeground(target: TerminalProcesses, signal: SignalName): boolean {
  if (!HAS_PROCESS_TABLE) return send(-target.pid, signal);
  const root = readProcess(target.pid);
  if (!root || root.isGone || !isRoot(root, target)) return false;
  return root.foregroundGroup > 1 ? send(-root.foregroundGroup, signal) : send(root.pid, signal);
}

/** One attempt to end a terminal. Records the processes that were found, and what was sent to each. */
class TreeKill {
  readonly #target: TerminalProcesses;
  readonly #known = new Map<number, ProcessInfo>();
  readonly #signalled = new Map<number, ProcessInfo>();
  readonly #hungUp = new Set<ProcessInfo>();

  constructor(target: TerminalProcesses) {
    this.#target = target;
  }

  /** Sends the signal and waits. Resolves to whether all processes exited in time. */
  async terminate(signal: SignalName, graceMs: number): Promise<boolean> {
    const deadline = performance.now() + graceMs;
    const nudge = setInterval(() => this.#nudge(), NUDGE_MS);
    try {
      return await this.#terminateUntil(deadline, signal);
    } finally {
      clearInterval(nudge);
    }
  }

  async #terminateUntil(deadline: number, signal: SignalName): Promise<boolean> {
    for (let stepMs = MIN_STEP_MS; ; stepMs = Math.min(stepMs * 2, MAX_STEP_MS)) {
      if (!this.#isWaitingFor(signal)) {
        const members = await this.#findMembers();
        if (members.length === 0) return true;
        if (this.#signalNext(members, signal)) stepMs = MIN_STEP_MS;
      }
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return false;
      await delay(Math.min(stepMs, leftMs));
    }
  }

  /**
   * Sends SIGKILL to all processes, repeatedly as long as new ones appear. Resolves to the pids of those that did not
   * exit.
   */
  async force(): Promise<number[]> {
    const deadline = performance.now() + FORCE_MS;
    for (let stepMs = MIN_STEP_MS; ; stepMs = Math.min(stepMs * 2, MAX_STEP_MS)) {
      const before = this.#known.size;
      const members = await this.#findMembers();
      if (members.length === 0) return [];
      if (performance.now() > deadline) return members.map(({ pid }) => pid);
      this.#killAll(members);
      if (this.#known.size > before) stepMs = MIN_STEP_MS;
      await delay(stepMs);
    }
  }

  async #findMembers(): Promise<ProcessInfo[]> {
    const members = HAS_PROCESS_TABLE
      ? membersOf(await takeSnapshot(), this.#target, this.#known)
      : groupWithoutTable(this.#target.pid);
    for (const member of members) this.#known.set(member.pid, member);
    return members;
  }

  /** Returns whether a signalled process can still be expected to exit. */
  #isWaitingFor(signal: SignalName): boolean {
    for (const [pid, process] of this.#signalled) if (!isAlive(process)) this.#signalled.delete(pid);
    return [...this.#signalled.values()].some(
      (process) => this.#hungUp.has(process) || !ignoresSignal(process.pid, signal),
    );
  }

  /** Sends each process the next signal that it has not received. Returns whether any signal was sent. */
  #signalNext(members: readonly ProcessInfo[], signal: SignalName): boolean {
    let hasSignalled = false;
    for (const member of members) {
      const known = this.#signalled.get(member.pid);
      if (!known) this.#signalled.set(member.pid, member);
      else if (this.#hungUp.has(known)) continue;
      else this.#hungUp.add(known);
      hasSignalled = true;
      // SIGCONT follows, because a stopped process handles signals only when it is continued.
      sendTo(member, known ? 'SIGHUP' : signal, 'SIGCONT');
    }
    return hasSignalled;
  }

  /**
   * Wakes processes that received SIGHUP. On SIGHUP, bash only sets a flag, which it checks before it waits for a key.
   * If the signal arrives in between, bash waits until another signal wakes it. SIGWINCH has no effect on programs that
   * do not handle it.
   */
  #nudge(): void {
    for (const process of this.#hungUp) sendTo(process, 'SIGWINCH');
  }

  /**
   * Sends SIGKILL to all processes and to their groups. A group receives a signal atomically, so no process can escape
   * by forking.
   */
  #killAll(members: readonly ProcessInfo[]): void {
    for (const member of members) sendTo(member, 'SIGKILL');
    const ownSessions = members.filter(({ session }) => session === this.#target.pid || this.#known.has(session));
    const groups = new Set(ownSessions.map(({ group }) => group));
    for (const group of groups) if (!this.#isReused(group)) send(-group, 'SIGKILL');
  }

  /**
   * Returns whether the group no longer exists and an unrelated process has reused its number. Otherwise, a process
   * with that pid is the group's leader.
   */
  #isReused(group: number): boolean {
    const leader = readProcess(group);
    return leader !== null && !leader.isGone && this.#known.get(group)?.startTime !== leader.startTime;
  }
}

/** Returns the only group that can be reached without a process table: the program's own, represented by its leader. */
function groupWithoutTable(pid: number): ProcessInfo[] {
  const unknown = { parent: 0, foregroundGroup: -1, terminalDevice: 0, startTime: 0, environmentAddress: 0 };
  const group = { pid, group: pid, session: pid, cpuTicks: 0, threads: 1, isGone: false, ...unknown };
  return isAlive(group) ? [group] : [];
}

function isAlive({ pid, startTime }: ProcessInfo): boolean {
  if (!HAS_PROCESS_TABLE) return send(-pid, 0);
  const now = readProcess(pid);
  return now !== null && now.startTime === startTime && !now.isGone;
}

/**
 * Sends signals to exactly this process, never to another that has reused its pid. Returns whether it received them.
 */
function sendTo(process: ProcessInfo, ...signals: SignalName[]): boolean {
  if (!isAlive(process)) return false;
  const pid = HAS_PROCESS_TABLE ? process.pid : -process.pid;
  return signals.every((signal) => send(pid, signal));
}

function send(pid: number, signal: SignalName | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: the process has ended. EPERM: it belongs to another user and cannot be signalled.
    return false;
  }
}

/** @throws `KILL_FAILED` */
export function checkGone(id: string, left: readonly number[]): void {
  if (left.length === 0) return;
  const message = `Some processes of terminal ${id} did not end: ${left.join(', ')}`;
  throw new TerminalError('KILL_FAILED', message, { terminalId: id, pids: left });
}
