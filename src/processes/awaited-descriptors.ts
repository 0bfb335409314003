/**
 * Which descriptors a thread waits for, as the kernel tells: from the call it is in, and from the sets of
 * descriptors in its memory. It knows no terminal.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { parseSyscall, syscallTable } from './syscalls.js';
import type { Syscall, WaitCall } from './syscalls.js';

/** What a thread does. */
export interface ThreadState {
  /**
   * `blocked` in reading one descriptor; `listening` to several; `idle`: it waits for another thread of its program;
   * `busy` with anything else; `hidden`: we may not know.
   */
  readonly doing: 'blocked' | 'listening' | 'idle' | 'busy' | 'hidden';
  /** Descriptors from which it waits for input, lowest first. */
  readonly descriptors: readonly number[];
}

/**
 * Descriptors looked at of one set. Terminals are opened early and have low numbers; a server with thousands of
 * connections is not gone through.
 */
const MAX_DESCRIPTORS = 64;
/** Longest set of select: what fits into its `fd_set`. */
const MAX_SELECTED = 1024;
const POLLFD_BYTES = 8;
/** POLLIN and EPOLLIN. */
const READABLE = 1;

const BUSY: ThreadState = { doing: 'busy', descriptors: [] };
const HIDDEN: ThreadState = { doing: 'hidden', descriptors: [] };
const IDLE: ThreadState = { doing: 'idle', descriptors: [] };

/** What a thread of a process waits for now. A thread that has just ended is busy with that. */
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

/** Finds the descriptors of one kind of call; null if its memory may not be read. */
type Finder = (pid: number, syscall: Syscall) => number[] | null;

const FINDERS: Readonly<Record<WaitCall, Finder>> = {
  read: (_pid, { args }) => [Number(args[0])],
  poll: (pid, { args }) => {
    const count = Math.min(Number(args[1]), MAX_DESCRIPTORS);
    const memory = readMemory(pid, args[0]!, count * POLLFD_BYTES);
    return memory && polledIn(memory);
  },
  select: (pid, { args }) => {
    // No set to read from: it waits for something else.
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

/** Of an array of `struct pollfd`, those from which input is awaited. A negative number is to be passed over. */
export function polledIn(memory: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at + POLLFD_BYTES <= memory.length; at += POLLFD_BYTES) {
    const isReadable = (memory.readInt16LE(at + 4) & READABLE) !== 0;
    if (isReadable && memory.readInt32LE(at) >= 0) found.push(memory.readInt32LE(at));
  }
  return found.sort(ascending);
}

/** Of a `fd_set`, the numbers below `count` that are in it. */
export function selectedIn(memory: Buffer, count: number): number[] {
  const isIn = (fd: number): boolean => ((memory[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0;
  return Array.from({ length: count }, (_, fd) => fd).filter(isIn);
}

/** Of the /proc/PID/fdinfo of an epoll descriptor, those from which input is awaited. */
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

/** Codes by which the kernel says that we may not know; hidepid says that there is no such process. */
const HIDING: readonly string[] = ['EACCES', 'EPERM', 'ENOSYS'];

/** The text of a file of /proc, or the code of what kept it from being read. */
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
    // Another user's, or it has gone on meanwhile: what it waits for is not known.
    return null;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
