/**
 * Determines which descriptors a thread is waiting for input on, from its current system call and the descriptor sets
 * in its memory.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { parseSyscall, syscallTable } from './syscalls.js';
import type { Syscall, WaitCall } from './syscalls.js';

/** What a thread is doing. */
export interface ThreadState {
  /**
   * `blocked`: reading one descriptor. `listening`: waiting for several. `idle`: waiting for another thread of its
   * program. `busy`: anything else. `hidden`: unknown, because this process has no permission to inspect the thread.
   */
  readonly doing: 'blocked' | 'listening' | 'idle' | 'busy' | 'hidden';
  /** Descriptors that it is waiting for input on, lowest first. */
  readonly descriptors: readonly number[];
}

/**
 * Maximum number of descriptors that are examined per set. Terminals are opened early and have low numbers, so the
 * thousands of connections of a server need not all be examined.
 */
const MAX_DESCRIPTORS = 64;
/** Maximum number of descriptors in a select call: the capacity of an `fd_set`. */
const MAX_SELECTED = 1024;
const POLLFD_BYTES = 8;
/** POLLIN and EPOLLIN. */
const READABLE = 1;

const BUSY: ThreadState = { doing: 'busy', descriptors: [] };
const HIDDEN: ThreadState = { doing: 'hidden', descriptors: [] };
const IDLE: ThreadState = { doing: 'idle', descriptors: [] };

/** Returns what a thread of a process is currently waiting for. A thread that has just ended counts as busy. */
export function threadState(pid: number, thread: number): ThreadState {
  const table = syscallTable();
  const text = readOrCode(`/proc/${pid}/task/${thread}/syscall`);
  if (table === null || HIDING.includes(text)) return HIDDEN;
  const syscall = parseSyscall(text);
  if (syscall === null) return BUSY;
  if (syscall.number === table.futex) return IDLE;
  const call = table.waits.get(syscall.number);
  if (call === undefined) return BUSY;
  const descriptors = FINDERS[call](pid, syscall);
  if (descriptors === null) return HIDDEN;
  return { doing: call === 'read' ? 'blocked' : 'listening', descriptors: descriptors.slice(0, MAX_DESCRIPTORS) };
}

/** Finds the descriptors that a call of one kind is waiting for; null if they cannot be read. */
type Finder = (pid: number, syscall: Syscall) => number[] | null;

const FINDERS: Readonly<Record<WaitCall, Finder>> = {
  read: (_pid, { args }) => [Number(args[0])],
  poll: (pid, { args }) => {
    const count = Math.min(Number(args[1]), MAX_DESCRIPTORS);
    const memory = readMemory(pid, args[0]!, count * POLLFD_BYTES);
    return memory && polledIn(memory);
  },
  select: (pid, { args }) => {
    // There is no read set, so the call is waiting for something other than input.
    if (args[1] === 0n) return [];
    const count = Math.min(Number(args[0]), MAX_SELECTED);
    const memory = readMemory(pid, args[1]!, Math.ceil(count / 64) * 8);
    return memory && selectedIn(memory, count);
  },
  epoll: (pid, { args }) => {
    const text = readOrCode(`/proc/${pid}/fdinfo/${Number(args[0])}`);
    return HIDING.includes(text) ? null : registeredIn(text);
  },
};

/** Returns the descriptors in a `struct pollfd` array that are waited on for input. poll ignores negative numbers. */
export function polledIn(memory: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at + POLLFD_BYTES <= memory.length; at += POLLFD_BYTES) {
    const isReadable = (memory.readInt16LE(at + 4) & READABLE) !== 0;
    if (isReadable && memory.readInt32LE(at) >= 0) found.push(memory.readInt32LE(at));
  }
  return found.sort(ascending);
}

/** Returns the numbers below `count` in an `fd_set`. */
export function selectedIn(memory: Buffer, count: number): number[] {
  const isIn = (fd: number): boolean => ((memory[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0;
  return Array.from({ length: count }, (_, fd) => fd).filter(isIn);
}

/** Returns the descriptors that an epoll descriptor waits on for input, from its /proc/PID/fdinfo. */
export function registeredIn(text: string): number[] {
  const all = [...text.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm)];
  return all
    .filter(([, , events]) => (parseInt(events!, 16) & READABLE) !== 0)
    .map(([, fd]) => Number(fd))
    .sort(ascending);
}

function ascending(a: number, b: number): number {
  return a - b;
}

/**
 * Error codes that mean that the kernel denies access. With hidepid, the kernel instead claims that there is no such
 * process.
 */
const HIDING: readonly string[] = ['EACCES', 'EPERM', 'ENOSYS'];

/** Returns the text of a /proc file, or the error code if it cannot be read. */
function readOrCode(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}

function readMemory(pid: number, address: bigint, bytes: number): Buffer | null {
  let fd: number | undefined;
  try {
    fd = openSync(`/proc/${pid}/mem`, 'r');
    const memory = Buffer.alloc(bytes);
    return memory.subarray(0, readSync(fd, memory, 0, bytes, address));
  } catch {
    // The process belongs to another user, or its call has returned, so what it is waiting for is unknown.
    return null;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
