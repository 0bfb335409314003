/**
 * Determines on which TCP ports the processes of a terminal listen, from the kernel's socket tables. The processes are
 * passed in. Does not depend on application protocols.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** A listening socket: its inode in the socket file system, and its port. */
export interface Listener {
  readonly inode: string;
  readonly port: number;
}

/** Checks repeatedly, but searches descriptors only if the set of listening sockets on the machine has changed. */
export class ListeningPorts {
  readonly #pid: number;
  readonly #members: () => Promise<readonly number[]>;
  #seen: string | null = null;
  #ports: readonly number[] = [];

  /**
   * @param pid - A process in the network namespace to examine.
   * @param members - Returns the processes whose sockets count.
   */
  constructor(pid: number, members: () => Promise<readonly number[]>) {
    this.#pid = pid;
    this.#members = members;
  }

  /** Resolves to the ports in ascending order, without duplicates. */
  async look(): Promise<readonly number[]> {
    const listeners = await listenersSeenBy(this.#pid);
    const seen = listeners
      .map(({ inode }) => inode)
      .sort()
      .join();
    if (seen !== this.#seen) {
      this.#ports = portsOf(listeners, await this.#members());
      this.#seen = seen;
    }
    return this.#ports;
  }
}

/** Reads both tables: a socket that listens on IPv6 often accepts IPv4 too. */
async function listenersSeenBy(pid: number): Promise<Listener[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readTable(pid, name)));
  return tables.flatMap(parseListeners);
}

/**
 * Reads the table of a process's network namespace, or of our own if the process is gone. Empty if there is none, for
 * example without IPv6.
 */
async function readTable(pid: number, name: string): Promise<string> {
  const read = (of: number | 'self'): Promise<string> => readFile(`/proc/${of}/net/${name}`, 'latin1');
  return read(pid).catch(() => read('self').catch(() => ''));
}

/** State of a listening socket in those tables. */
const LISTENS = '0A';

/** Parses /proc/net/tcp or tcp6. */
export function parseListeners(table: string): Listener[] {
  const rows = table.split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === LISTENS ? [{ inode, port: parseInt(local.slice(local.lastIndexOf(':') + 1), 16) }] : [];
  });
}

function portsOf(listeners: readonly Listener[], pids: readonly number[]): number[] {
  const portByLink = new Map(listeners.map(({ inode, port }) => [`socket:[${inode}]`, port]));
  const ports = pids.flatMap((pid) => linksOf(pid).flatMap((link) => portByLink.get(link) ?? []));
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** Returns what the descriptors of a process refer to; nothing if it is gone or belongs to another user. */
function linksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return []; // It was just closed.
      }
    });
  } catch {
    return [];
  }
}
