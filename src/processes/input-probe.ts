/**
 * Determines whether a program in a terminal is waiting for input, from the kernel's information: the foreground
 * processes, the system call of each of their threads, and whether they read the terminal. Changes nothing, spawns
 * nothing and caches nothing. Does not examine output or determine the kind of input (`input-kind.ts`).
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
   * Whether the terminal's own program, the shell, is in the group. If so, none of its commands is in the foreground.
   */
  readonly isOwn: boolean;
  readonly processes: readonly { readonly pid: number; readonly name: string }[];
}

/** An observation at one moment. */
export interface InputProbe {
  /**
   * The waiting process; its `kind` is `unknown` until `withKind` has queried the terminal. Null if there is none or it
   * is unknown (see `isKnown`).
   */
  readonly waiting: InputWait | null;
  /** false: this platform or this user's permissions do not allow determining whether a process waits. */
  readonly isKnown: boolean;
  /** Null if unknown. */
  readonly foreground: ForegroundGroup | null;
  /** The terminal whose modes determine the kind of input. For a program under `sudo` or `script`, the inner one. */
  readonly tty: string | null;
  /** CPU time so far, in clock ticks (1/100 s), of all live processes except background jobs. */
  readonly cpuTicks: number;
}

export interface ProbedTerminal {
  /** The program of the terminal. It must be a descendant of this process if the kernel restricts `ptrace`. */
  readonly pid: number;
  /** Path of the terminal's device. Default: the controlling terminal of `pid`, according to the kernel. */
  readonly tty?: string;
}

export const NOTHING_KNOWN: InputProbe = { waiting: null, isKnown: false, foreground: null, tty: null, cpuTicks: 0 };

/** Maximum number of threads examined per process. */
const MAX_THREADS = 128;
/** Maximum number of foreground processes whose names are reported. */
const MAX_NAMED = 16;

/**
 * Probes once, in about a millisecond. Does not throw if a process has exited or is hidden; `isKnown` is then false.
 *
 * @throws The error of reading /proc when this process has run out of descriptors.
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
  // A group whose members have been orphaned cannot be found by walking the process tree.
  const isKnown = found !== null || (foregroundMembers.length > 0 && !search.isBlind && family.isWhole);
  return { waiting: found && inputWait(found), isKnown, foreground, tty: path, cpuTicks };
}

interface Waiter {
  readonly member: FamilyMember;
  /** The terminal that it reads. */
  readonly device: number;
  /** Whether it can do nothing but wait for the terminal. */
  readonly isBlocked: boolean;
}

function inputWait({ member: { pid }, isBlocked }: Waiter): InputWait {
  return { kind: 'unknown', by: nameOf(pid) ?? '', pid, certain: isBlocked };
}

function foregroundOf(root: FamilyMember, foregroundMembers: readonly FamilyMember[]): ForegroundGroup {
  const processes = foregroundMembers.slice(0, MAX_NAMED).map(({ pid }) => ({ pid, name: nameOf(pid) ?? '' }));
  return { group: root.foregroundGroup, isOwn: root.group === root.foregroundGroup, processes };
}

/** One search for waiting processes. Records whether a process could not be examined. */
class WaiterSearch {
  isBlind = false;

  /**
   * Returns the process that is waiting for the terminal, among these processes and those behind a relay. A blocked
   * process takes precedence over a listening one.
   */
  waiterAmong(members: readonly FamilyMember[], device: number): Waiter | null {
    const waiters = members.flatMap((member) => this.#waitersFor(member, device));
    return waiters.find(({ isBlocked }) => isBlocked) ?? waiters[0] ?? null;
  }

  /**
   * A process with descendants in another session may be a relay, such as sudo, su, script and apt: it always listens
   * to the terminal, regardless of what the inner program does. In that case, the inner program decides. The exception
   * is a process that listens to the terminal but not to the inner one, such as mc with its subshell.
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

  /** A session without its own terminal, such as the session that `su -c` starts, may use the outer one. */
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

/** Returns whether a process holds an inner terminal that none of its threads listens to. */
function holdsUnreadTerminal(member: FamilyMember): boolean {
  const listens = statesOf(member).some(({ descriptors }) => descriptors.some((fd) => isMaster(member.pid, fd)));
  return !listens && holdsMaster(member.pid) === true;
}

/**
 * Returns the sessions started by children of a process, each with the members that descend from the session's leader.
 * Children in the process's own session are examined separately if they are in the foreground, and ignored otherwise.
 */
function innerSessions({ session, children }: FamilyMember): FamilyMember[][] {
  const leaders = children.filter((child) => child.session !== session);
  return leaders.map((leader) => membersBelow(leader, leader.session));
}

function membersBelow(member: FamilyMember, session: number): FamilyMember[] {
  const below = member.children.filter((child) => child.session === session);
  return [member, ...below.flatMap((child) => membersBelow(child, session))];
}

/** Returns the terminal of a session; 0 if it has none. */
function terminalOf(session: readonly FamilyMember[]): number {
  return session.find(({ terminalDevice }) => terminalDevice !== 0)?.terminalDevice ?? 0;
}

/** Device number of /dev/tty, which stands for the controlling terminal of the process. */
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
