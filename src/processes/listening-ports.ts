/**
 * Determines the TCP ports that a terminal's processes are listening on, from the kernel's socket tables. The processes
 * are passed in.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicMs } from '../clock.js';
import { PORTS_MAX_AGE_MS } from '../contract/overview.js';
import { takeSnapshot } from './process-table.js';
import { membersOf, type TerminalProcesses } from './process-tree.js';

/** A listening socket: its inode in the socket file system, and its port. */
export interface ListeningSocket {
  readonly inode: string;
  readonly port: number;
}

/**
 * Finds the ports of one terminal, repeatedly. Searches descriptors only if the set of listening sockets has changed
 * since the last search.
 */
export class ListeningPorts {
  readonly #pid: number;
  readonly #members: () => Promise<readonly number[]>;
  #seen: string | null = null;
  #ports: readonly number[] = [];

  /**
   * @param pid - A process in the network namespace that is examined.
   * @param members - Returns the processes whose sockets count.
   */
  constructor(pid: number, members: () => Promise<readonly number[]>) {
    this.#pid = pid;
    this.#members = members;
  }

  /** Resolves to the ports in ascending order, without duplicates. */
  async find(): Promise<readonly number[]> {
    const listeners = await listenersSeenBy(this.#pid);
    const seen = inodesOf(listeners);
    if (seen !== this.#seen) {
      this.#ports = portsOf(listeners, await this.#members());
      this.#seen = seen;
    }
    return this.#ports;
  }
}

/**
 * Finds the ports of all terminals with a single read of the socket tables in this process's network namespace.
 * Searches descriptors only if the set of listening sockets has changed since the last search.
 */
export class PortsByTerminal {
  readonly #terminals: () => readonly TerminalProcesses[];
  #readAt = -Infinity;
  #ports: Promise<ReadonlyMap<string, readonly number[]>> = Promise.resolve(new Map());
  #seen = '';

  constructor(terminals: () => readonly TerminalProcesses[]) {
    this.#terminals = terminals;
  }

  /**
   * Resolves to the ports by terminal id, as they were at most `PORTS_MAX_AGE_MS` ago. Contains no terminals without
   * ports.
   */
  find(): Promise<ReadonlyMap<string, readonly number[]>> {
    if (monotonicMs() - this.#readAt < PORTS_MAX_AGE_MS) return this.#ports;
    this.#readAt = monotonicMs();
    const before = this.#ports;
    // If this process has run out of descriptors, nothing can be read. The previous result is then returned, and a
    // later call tries again.
    return (this.#ports = this.#read(before).catch(() => before));
  }

  async #read(
    before: Promise<ReadonlyMap<string, readonly number[]>>,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const listeners = await listenersSeenBy('self');
    const seen = inodesOf(listeners);
    if (seen === this.#seen) return before;
    const found = listeners.length === 0 ? new Map<string, number[]>() : await this.#search(listeners);
    this.#seen = seen;
    return found;
  }

  async #search(listeners: readonly ListeningSocket[]): Promise<Map<string, number[]>> {
    const snapshot = await takeSnapshot();
    const found = new Map<string, number[]>();
    for (const terminal of this.#terminals()) {
      const pids = membersOf(snapshot, terminal).map(({ pid }) => pid);
      const ports = portsOf(listeners, pids);
      if (ports.length > 0) found.set(terminal.terminalId, ports);
      // A terminal's processes can have thousands of descriptors, so other work gets a turn in between.
      if (pids.length > 0) await nextTurn();
    }
    return found;
  }
}

function inodesOf(listeners: readonly ListeningSocket[]): string {
  return listeners
    .map(({ inode }) => inode)
    .sort()
    .join();
}

/** Reads the tables for IPv4 and IPv6: a socket that listens on IPv6 often also accepts IPv4. */
async function listenersSeenBy(pid: number | 'self'): Promise<ListeningSocket[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readTable(pid, name)));
  return tables.flatMap(parseListeners);
}

/**
 * Reads a table in a process's network namespace or, if the process has exited, in that of this process. Returns an
 * empty string if there is no such table, for example without IPv6.
 */
async function readTable(pid: number | 'self', name: string): Promise<string> {
  const read = (of: number | 'self'): Promise<string> => readFile(`/proc/${of}/net/${name}`, 'latin1');
  return read(pid).catch(() => read('self').catch(() => ''));
}

/** State of a listening socket in the socket tables. */
const LISTENS = '0A';

/** Parses /proc/net/tcp or tcp6. */
export function parseListeners(table: string): ListeningSocket[] {
  const rows = table.split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === LISTENS ? [{ inode, port: parseInt(local.slice(local.lastIndexOf(':') + 1), 16) }] : [];
  });
}

function portsOf(listeners: readonly ListeningSocket[], pids: readonly number[]): number[] {
  const portByLink = new Map(listeners.map(({ inode, port }) => [`socket:[${inode}]`, port]));
  const ports = pids.flatMap((pid) => linksOf(pid).flatMap((link) => portByLink.get(link) ?? []));
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** Returns what the descriptors of a process refer to; an empty list if it has exited or belongs to another user. */
function linksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return []; // The descriptor has just been closed.
      }
    });
  } catch {
    return [];
  }
}
