/**
 * Whether a program in a terminal waits for somebody to type, as the kernel tells: who has the foreground, in which
 * call each of its threads is, and whether the terminal is among what it reads. It changes nothing, spawns nothing and
 * keeps nothing; it knows no output, and not yet what is wanted (`input-kind.ts`).
 */
import type { InputWait } from '../contract/command.js';
import { nameOf } from './foreground.js';
import { HAS_PROCESS_TABLE, isStopped } from './process-table.js';
import { threadState } from './awaited-descriptors.js';
import type { ThreadState } from './awaited-descriptors.js';
import { deviceOf, holdsMaster, isMaster, isPseudoTerminal } from './descriptors.js';
import { familyOf, threadsOf } from './process-family.js';
import type { Member } from './process-family.js';
import { isSeenFromAfar } from './relays.js';

/** The processes that have the foreground of a terminal. */
export interface ForegroundGroup {
  readonly group: number;
  /** Whether the program of the terminal itself, the shell, is among them: no command of its own has the foreground. */
  readonly isOwn: boolean;
  readonly processes: readonly { readonly pid: number; readonly name: string }[];
}

/** What was seen at one moment. */
export interface InputProbe {
  /** Who waits; its `kind` is `unknown` until `withKind` has asked the terminal. Null: nobody, or see `isKnown`. */
  readonly waiting: InputWait | null;
  /** false: this platform, or what this user may see, does not tell whether anybody waits. */
  readonly isKnown: boolean;
  /** Null where it is not known. */
  readonly foreground: ForegroundGroup | null;
  /** The terminal whose modes say what is wanted: for a program under `sudo` or `script`, the one in there. */
  readonly tty: string | null;
  /** CPU time so far, in clock ticks (1/100 s), of all that live and are not jobs in the background. */
  readonly cpuTicks: number;
}

export interface ProbedTerminal {
  /** The program of the terminal. It must be a descendant of this process where the kernel guards `ptrace`. */
  readonly pid: number;
  /** Path of the terminal's device; default: what the kernel says is the controlling terminal of `pid`. */
  readonly tty?: string;
}

const NOTHING_KNOWN: InputProbe = { waiting: null, isKnown: false, foreground: null, tty: null, cpuTicks: 0 };

/** Threads of one process that are looked at. */
const MAX_THREADS = 128;
/** Processes of the foreground that are named. */
const MAX_NAMED = 16;

/**
 * Looks once, in about a millisecond. Never throws for a process that is gone or hidden: then `isKnown` is false.
 *
 * @throws what /proc throws when this process is out of descriptors.
 */
export function probeInput({ pid, tty }: ProbedTerminal): InputProbe {
  const family = HAS_PROCESS_TABLE ? familyOf(pid) : null;
  if (family === null) return NOTHING_KNOWN;
  const { root, members } = family;
  const inFront = members.filter(({ group, session }) => group === root.foregroundGroup && session === root.session);
  const counted = members.filter(({ group, session }) => session !== root.session || group === root.foregroundGroup);
  const cpuTicks = counted.reduce((sum, member) => sum + member.cpuTicks, 0);
  const foreground = inFront.length === 0 ? null : foregroundOf(root, inFront);
  const search = new Search();
  const found = search.waiterAmong(inFront, root.terminalDevice);
  const path = found === null ? (tty ?? devicePath(root.terminalDevice)) : devicePath(found.device);
  // A group whose members are nobody's descendants any more cannot be found by walking.
  const isKnown = found !== null || (inFront.length > 0 && !search.isBlind && family.isWhole);
  return { waiting: found && inputWait(found), isKnown, foreground, tty: path, cpuTicks };
}

interface Waiter {
  readonly member: Member;
  /** The terminal it reads. */
  readonly device: number;
  /** Whether it can do nothing else. */
  readonly isBlocked: boolean;
}

function inputWait({ member: { pid }, isBlocked }: Waiter): InputWait {
  return { kind: 'unknown', by: nameOf(pid) ?? '', pid, certain: isBlocked };
}

function foregroundOf(root: Member, inFront: readonly Member[]): ForegroundGroup {
  const processes = inFront.slice(0, MAX_NAMED).map(({ pid }) => ({ pid, name: nameOf(pid) ?? '' }));
  return { group: root.foregroundGroup, isOwn: root.group === root.foregroundGroup, processes };
}

/** One search for who waits; remembers whether there was somebody it could not look into. */
class Search {
  isBlind = false;

  /** Who of these waits for the terminal, or of those for whom they stand; one that is blocked before one that listens. */
  waiterAmong(members: readonly Member[], device: number): Waiter | null {
    const waiters = members.flatMap((member) => this.#waitersFor(member, device));
    return waiters.find(({ isBlocked }) => isBlocked) ?? waiters[0] ?? null;
  }

  /**
   * A process with descendants in another session may be a relay, as sudo, su, script and apt are: it listens to the
   * terminal all the time, whatever the program in there does. Then that program decides; but not where the process
   * listens to the terminal and not to the one within, as mc does beside its subshell.
   */
  #waitersFor(member: Member, device: number): Waiter[] {
    const wait = this.#waitOf(member, device);
    if (wait === 'blocked') return [{ member, device, isBlocked: true }];
    const inner = innerSessions(member);
    if (wait === 'listening' && inner.length > 0 && isBesideInner(member))
      return [{ member, device, isBlocked: false }];
    const found = inner.flatMap((session) => this.#waiterIn(session, device) ?? []);
    const isRelay = inner.some((session) => terminalOf(session) !== 0);
    if (found.length > 0 || isRelay) return found;
    if (isSeenFromAfar(nameOf(member.pid))) this.isBlind = true;
    else if (wait === 'listening') return [{ member, device, isBlocked: false }];
    return [];
  }

  /** A session without a terminal of its own, as `su -c` makes it, may go on with the one outside. */
  #waiterIn(session: readonly Member[], outside: number): Waiter | null {
    const own = terminalOf(session);
    if (own === 0) return this.waiterAmong(session, outside);
    const { foregroundGroup } = session.find(({ terminalDevice }) => terminalDevice === own)!;
    return this.waiterAmong(
      session.filter(({ group }) => group === foregroundGroup),
      own,
    );
  }

  #waitOf(member: Member, device: number): 'blocked' | 'listening' | null {
    const wait = this.#standsAt(member, device);
    return wait !== null && isStopped(member.pid) ? null : wait;
  }

  #standsAt(member: Member, device: number): 'blocked' | 'listening' | null {
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

function statesOf(member: Member): ThreadState[] {
  return threadsOf(member)
    .slice(0, MAX_THREADS)
    .map((thread) => threadState(member.pid, thread));
}

/** Whether it holds a terminal within, and none of its threads listens to that. */
function isBesideInner(member: Member): boolean {
  const listens = statesOf(member).some(({ descriptors }) => descriptors.some((fd) => isMaster(member.pid, fd)));
  return !listens && holdsMaster(member.pid) === true;
}

/**
 * The sessions that children of a process have begun, each with those of its members that descend from there. Children
 * in its own session count for themselves where they are in the foreground, and not at all where they are not.
 */
function innerSessions({ session, children }: Member): Member[][] {
  const leaders = children.filter((child) => child.session !== session);
  return leaders.map((leader) => membersBelow(leader, leader.session));
}

function membersBelow(member: Member, session: number): Member[] {
  const below = member.children.filter((child) => child.session === session);
  return [member, ...below.flatMap((child) => membersBelow(child, session))];
}

/** The terminal of a session; 0 if it has none. */
function terminalOf(session: readonly Member[]): number {
  return session.find(({ terminalDevice }) => terminalDevice !== 0)?.terminalDevice ?? 0;
}

/** Device number of /dev/tty, which stands for whatever terminal a process belongs to. */
const OWN_TERMINAL = (5 << 8) | 0;

function isTerminal({ pid, terminalDevice }: Member, fd: number, device: number): boolean {
  const opened = deviceOf(pid, fd);
  return opened === device || (opened === OWN_TERMINAL && terminalDevice === device);
}

/** The path of a pseudo-terminal; null if it is something else. */
function devicePath(device: number): string | null {
  if (!isPseudoTerminal(device)) return null;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  return `/dev/pts/${minor}`;
}
