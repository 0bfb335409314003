/**
 * Determines whether a program in a terminal is waiting for input, from the kernel's information about the foreground
 * processes, the system calls of their threads, and the files that they are reading. Changes, spawns and caches
 * nothing. Does not examine output, and leaves the kind of input to `input-kind.ts`.
 */
import type { InputWait } from '../contract/command.js';
import { nameOf } from './foreground.js';
import { HAS_PROCESS_TABLE, isStopped } from './process-table.js';
import { threadState } from './awaited-descriptors.js';
import type { ThreadState } from './awaited-descriptors.js';
import { deviceOf, holdsMaster, isMaster, isPseudoTerminal } from './descriptors.js';
import { familyOf, threadsOf } from './process-family.js';
import type { FamilyMember } from './process-family.js';
import { isRemoteRelay } from './relays.js';

/** The foreground processes of a terminal. */
export interface ForegroundGroup {
  readonly group: number;
  /**
   * Whether the terminal's own program, such as the shell, is in the group. If so, none of the shell's commands is in
   * the foreground.
   */
  readonly isOwn: boolean;
  readonly processes: readonly { readonly pid: number; readonly name: string }[];
}

/** What a probe observed at one moment. */
export interface InputProbe {
  /**
   * The waiting process, whose `kind` is `unknown` until `withKind` fills it in. Null if no process is waiting, or if
   * that is unknown (see `isKnown`).
   */
  readonly waiting: InputWait | null;
  /**
   * Whether it could be determined if a process is waiting. False if the platform or this user's permissions do not
   * allow that.
   */
  readonly isKnown: boolean;
  /** The foreground processes; null if unknown. */
  readonly foreground: ForegroundGroup | null;
  /**
   * Path of the terminal whose modes determine the kind of input: for a program under `sudo` or `script`, the inner
   * terminal. Null if unknown.
   */
  readonly tty: string | null;
  /** CPU time so far, in clock ticks (1/100 s), of all live processes except background jobs. */
  readonly cpuTicks: number;
}

export interface ProbedTerminal {
  /** Pid of the terminal's program. If the kernel restricts `ptrace`, it must be a descendant of this process. */
  readonly pid: number;
  /** Path of the terminal's device. Default: the controlling terminal of `pid`, according to the kernel. */
  readonly tty?: string;
}

export const NOTHING_KNOWN: InputProbe = { waiting: null, isKnown: false, foreground: null, tty: null, cpuTicks: 0 };

/** Maximum number of threads that are examined per process. */
const MAX_THREADS = 128;
/** Maximum number of foreground processes whose names are reported. */
const MAX_NAMED = 16;

/**
 * Probes once, which takes about a millisecond. Does not throw if a process has exited or is hidden: `isKnown` is then
 * false.
 *
 * @throws The error of reading /proc if this process has run out of descriptors.
 */
export function probeInput({ pid, tty }: ProbedTerminal): InputProbe {
  const family = HAS_PROCESS_TABLE ? familyOf(pid) : null;
  if (family === null) return NOTHING_KNOWN;
  const { root, members } = family;
  const foregroundMembers = members.filter(
    ({ group, session }) => group === root.foregroundGroup && session === root.session,
  );
  const counted = members.filter(({ group, session }) => session !== root.session || group === root.foregroundGroup);
  const cpuTicks = counted.reduce((sum, member) => sum + member.cpuTicks, 0);
  const foreground = foregroundMembers.length === 0 ? null : foregroundOf(root, foregroundMembers);
  const search = new WaiterSearch();
  const found = search.waiterAmong(foregroundMembers, root.terminalDevice);
  const path = found === null ? (tty ?? devicePath(root.terminalDevice)) : devicePath(found.device);
  // If the members of the foreground group have been orphaned, the walk through the process tree does not find them.
  const isKnown = found !== null || (foregroundMembers.length > 0 && !search.isBlind && family.isWhole);
  return { waiting: found && inputWait(found), isKnown, foreground, tty: path, cpuTicks };
}

interface Waiter {
  readonly member: FamilyMember;
  /** Device number of the terminal that it is reading. */
  readonly device: number;
  /** Whether it is waiting only for the terminal, not for anything else. */
  readonly isBlocked: boolean;
}

function inputWait({ member: { pid }, isBlocked }: Waiter): InputWait {
  return { kind: 'unknown', by: nameOf(pid) ?? '', pid, certain: isBlocked };
}

function foregroundOf(root: FamilyMember, foregroundMembers: readonly FamilyMember[]): ForegroundGroup {
  const processes = foregroundMembers.slice(0, MAX_NAMED).map(({ pid }) => ({ pid, name: nameOf(pid) ?? '' }));
  return { group: root.foregroundGroup, isOwn: root.group === root.foregroundGroup, processes };
}

/** Searches for waiting processes, once. Records whether a process could not be examined. */
class WaiterSearch {
  isBlind = false;

  /**
   * Returns the process that is waiting for input from the terminal: one of these, or one behind a relay. A blocked
   * process takes precedence over a listening one.
   */
  waiterAmong(members: readonly FamilyMember[], device: number): Waiter | null {
    const waiters = members.flatMap((member) => this.#waitersFor(member, device));
    return waiters.find(({ isBlocked }) => isBlocked) ?? waiters[0] ?? null;
  }

  /**
   * Returns the waiting processes among a process and those behind it. A process with descendants in another session
   * can be a relay, such as sudo, su, script or apt. A relay always listens to the terminal, so whether the inner
   * program is waiting decides. The exception is a process that listens to the terminal but not to the inner one, such
   * as mc with its subshell.
   */
  #waitersFor(member: FamilyMember, device: number): Waiter[] {
    const wait = this.#waitOf(member, device);
    if (wait === 'blocked') return [{ member, device, isBlocked: true }];
    const inner = innerSessions(member);
    if (wait === 'listening' && inner.length > 0 && holdsUnreadTerminal(member))
      return [{ member, device, isBlocked: false }];
    const found = inner.flatMap((session) => this.#waiterIn(session, device) ?? []);
    const isRelay = inner.some((session) => terminalOf(session) !== 0);
    if (found.length > 0 || isRelay) return found;
    if (isRemoteRelay(nameOf(member.pid))) this.isBlind = true;
    else if (wait === 'listening') return [{ member, device, isBlocked: false }];
    return [];
  }

  /**
   * Returns the waiting process of an inner session. A session without its own terminal, such as one that `su -c`
   * starts, can use the outer terminal.
   */
  #waiterIn(session: readonly FamilyMember[], outside: number): Waiter | null {
    const own = terminalOf(session);
    if (own === 0) return this.waiterAmong(session, outside);
    const { foregroundGroup } = session.find(({ terminalDevice }) => terminalDevice === own)!;
    return this.waiterAmong(
      session.filter(({ group }) => group === foregroundGroup),
      own,
    );
  }

  #waitOf(member: FamilyMember, device: number): 'blocked' | 'listening' | null {
    const wait = this.#waitIgnoringStops(member, device);
    return wait !== null && isStopped(member.pid) ? null : wait;
  }

  #waitIgnoringStops(member: FamilyMember, device: number): 'blocked' | 'listening' | null {
    const states = statesOf(member);
    const reads = (state: ThreadState): boolean => state.descriptors.some((fd) => isTerminal(member, fd, device));
    const reader = states.find((state) => state.doing === 'blocked' && reads(state));
    if (reader !== undefined)
      return states.every((state) => state === reader || state.doing === 'idle') ? 'blocked' : 'listening';
    if (states.some((state) => state.doing === 'listening' && reads(state))) return 'listening';
    if (states.some(({ doing }) => doing === 'hidden')) this.isBlind = true;
    return null;
  }
}

function statesOf(member: FamilyMember): ThreadState[] {
  return threadsOf(member)
    .slice(0, MAX_THREADS)
    .map((thread) => threadState(member.pid, thread));
}

/** Returns whether a process holds the master side of an inner terminal that none of its threads is listening to. */
function holdsUnreadTerminal(member: FamilyMember): boolean {
  const listens = statesOf(member).some(({ descriptors }) => descriptors.some((fd) => isMaster(member.pid, fd)));
  return !listens && holdsMaster(member.pid) === true;
}

/**
 * Returns the sessions that children of a process lead or are in, each with the members that descend from that child.
 * Leaves out children in the process's own session: those in the foreground are examined separately, and others do not
 * matter.
 */
function innerSessions({ session, children }: FamilyMember): FamilyMember[][] {
  const leaders = children.filter((child) => child.session !== session);
  return leaders.map((leader) => membersBelow(leader, leader.session));
}

function membersBelow(member: FamilyMember, session: number): FamilyMember[] {
  const below = member.children.filter((child) => child.session === session);
  return [member, ...below.flatMap((child) => membersBelow(child, session))];
}

/** Returns the device number of a session's terminal; 0 if it has none. */
function terminalOf(session: readonly FamilyMember[]): number {
  return session.find(({ terminalDevice }) => terminalDevice !== 0)?.terminalDevice ?? 0;
}

/** Device number of /dev/tty, which stands for the process's controlling terminal. */
const OWN_TERMINAL = (5 << 8) | 0;

function isTerminal({ pid, terminalDevice }: FamilyMember, fd: number, device: number): boolean {
  const opened = deviceOf(pid, fd);
  return opened === device || (opened === OWN_TERMINAL && terminalDevice === device);
}

/** Returns the path of a pseudo-terminal; null for any other device. */
function devicePath(device: number): string | null {
  if (!isPseudoTerminal(device)) return null;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  return `/dev/pts/${minor}`;
}
