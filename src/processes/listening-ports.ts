/**
 * On which TCP ports the processes of a terminal listen, from the kernel's tables of sockets. It knows no protocol, and
 * who those processes are it is told.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** A socket that listens: its number in the file system of sockets, and its port. */
export interface Listener {
  readonly inode: string;
  readonly port: number;
}

/** Looks again and again, and goes through descriptors only when some process of the machine listens anew. */
export class ListeningPorts {
  readonly #pid: number;
  readonly #members: () => Promise<readonly number[]>;
  #seen: string | null = null;
  #ports: readonly number[] = [];

  /**
   * @param pid - A process in the network that is meant.
   * @param members - The processes that count.
   */
  constructor(pid: number, members: () => Promise<readonly number[]>) {
    this.#pid = pid;
    this.#members = members;
  }

  /** The ports, ascending, each once. */
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

/** Both tables: what listens on IPv6 often takes IPv4 too. */
async function listenersSeenBy(pid: number): Promise<Listener[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readTable(pid, name)));
  return tables.flatMap(parseListeners);
}

/** The table of a process's network; of our own if it is gone. Empty where there is none: without IPv6, say. */
async function readTable(pid: number, name: string): Promise<string> {
  const read = (of: number | 'self'): Promise<string> => readFile(`/proc/${of}/net/${name}`, 'latin1');
  return read(pid).catch(() => read('self').catch(() => ''));
}

/** State of a socket that listens, in those tables. */
const LISTENS = '0A';

/** Reads /proc/net/tcp or tcp6. */
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

/** What the descriptors of a process lead to; nothing if it is gone or another user's. */
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
