/** Finds the process that is listening on a port, if /proc shows it to this user. Used only in messages. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { printable } from '../printable.js';

export interface PortHolder {
  readonly pid: number;
  /** Its command line, shortened. */
  readonly command: string;
}

const LISTENING = '0A';
/** Columns of /proc/net/tcp. */
const LOCAL_ADDRESS = 1;
const STATE = 3;
const INODE = 9;
const MAX_COMMAND_LENGTH = 100;

/** Returns the process, or undefined if it belongs to another user or there is no /proc. */
export function portHolder(port: number): PortHolder | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return undefined;
  const pid = list('/proc').find((name) => /^\d+$/.test(name) && holdsAny(name, sockets));
  return pid === undefined ? undefined : { pid: Number(pid), command: commandOf(pid) };
}

function listeningSockets(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return read(table)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[STATE] === LISTENING && columns[LOCAL_ADDRESS]?.endsWith(suffix))
    .map((columns) => `socket:[${columns[INODE]}]`);
}

function holdsAny(pid: string, sockets: ReadonlySet<string>): boolean {
  return list(`/proc/${pid}/fd`).some((fd) => sockets.has(linkTarget(`/proc/${pid}/fd/${fd}`)));
}

function commandOf(pid: string): string {
  const words = read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim();
  return printable(words).slice(0, MAX_COMMAND_LENGTH);
}

/** Returns `empty` for files that cannot be read because the process has exited or belongs to another user. */
function orEmpty<Value>(empty: Value, attempt: () => Value): Value {
  try {
    return attempt();
  } catch {
    return empty;
  }
}

const list = (path: string) => orEmpty<string[]>([], () => readdirSync(path));
const read = (path: string) => orEmpty('', () => readFileSync(path, 'utf8'));
const linkTarget = (path: string) => orEmpty('', () => readlinkSync(path));
