/**
 * Lists the system calls that a program can wait for input in, by number, and parses the kernel's report of a call.
 * Pure.
 */

/** The kinds of calls, by how they specify the descriptors to wait for. */
export type WaitCall = 'read' | 'poll' | 'select' | 'epoll';

/** A system call that a thread is in. */
export interface Syscall {
  readonly number: number;
  readonly args: readonly bigint[];
}

interface Table {
  readonly waits: ReadonlyMap<number, WaitCall>;
  /** Number of the call that a thread makes to wait for another thread of its own program. */
  readonly futex: number;
}

const X64: Table = {
  waits: new Map<number, WaitCall>([
    ...([0, 19] as const).map((read) => [read, 'read'] as const),
    ...([7, 271] as const).map((poll) => [poll, 'poll'] as const),
    ...([23, 270] as const).map((select) => [select, 'select'] as const),
    ...([232, 281, 441] as const).map((epoll) => [epoll, 'epoll'] as const),
  ]),
  futex: 202,
};

const ARM64: Table = {
  waits: new Map<number, WaitCall>([
    ...([63, 65] as const).map((read) => [read, 'read'] as const),
    [73, 'poll'],
    [72, 'select'],
    ...([22, 441] as const).map((epoll) => [epoll, 'epoll'] as const),
  ]),
  futex: 98,
};

const TABLES: Readonly<Record<string, Table>> = { x64: X64, arm64: ARM64 };

/** Returns the table for this machine; null if its numbers are not known. */
export function syscallTable(arch: string = process.arch): Table | null {
  return TABLES[arch] ?? null;
}

/**
 * Parses /proc/PID/task/TID/syscall: the number and six arguments. Returns null for a running thread, which is not in a
 * call.
 */
export function parseSyscall(text: string): Syscall | null {
  const [number = '', ...rest] = text.trim().split(' ');
  if (!/^\d+$/.test(number)) return null;
  return { number: Number(number), args: rest.slice(0, 6).map(BigInt) };
}
