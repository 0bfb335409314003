/**
 * Determines the user at the other end of a loopback connection, from the kernel's socket table. Works only on Linux:
 * on other systems the user is unknown, so no caller is trusted.
 *
 * Addresses and ports alone prove nothing: a caller that resets its connection frees its port, and the next socket with
 * that port may belong to another user. Let X be the accepted socket. At T1, the table shows O: peer → own,
 * ESTABLISHED, a uid. At T2 > T1, the kernel reports that X itself still has a peer.
 *
 * - A socket that has left the kernel's hash is CLOSE and never comes back. So X was hashed from its accept to T2, and
 *   a SYN with its four endpoints reached X, not the listener: no other socket completed a handshake from that port in
 *   the meantime.
 * - So O is X's partner, or it is older than X and stale. A stale O needs the same four endpoints hashed twice, which
 *   the kernel refuses unless one of the two is bound to a device. The code therefore requires exactly one row, in both
 *   tables, in any state.
 * - Backlog, a reset in progress, reuse from TIME_WAIT: in these cases O becomes ESTABLISHED only after X is CLOSE, and
 *   the check at T2 fails.
 *
 * SECURITY.md describes the remaining risks. test/access/port-reuse.test.ts performs the attack.
 */
import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { shared } from '../turns.js';
import { plainAddress } from './client-address.js';

/** The uid that stands for all unmapped and unknown users, and therefore proves nothing. */
const OVERFLOW_UID = 65_534;
/**
 * Number of attempts. The kernel returns the table page by page, so an entry can be missed or appear twice if other
 * entries change meanwhile.
 */
const ATTEMPTS = 8;
/** TCP_ESTABLISHED. In later states, a socket may have lost its owner and appear to belong to root. */
const ESTABLISHED = '01';
/** Columns of a row after the two endpoints; queues, timer and retransmits are between them. */
const STATE_COLUMN = 0;
const UID_COLUMN = 4;

const known = new WeakMap<Socket, Promise<number | undefined>>();

/**
 * Resolves to the uid of the process that opened the other end of this connection, or undefined if the kernel does not
 * report it. Looks it up once per connection. Never rejects.
 */
export function peerUid(socket: Socket): Promise<number | undefined> {
  let uid = known.get(socket);
  if (!uid) known.set(socket, (uid = lookUp(socket)));
  return uid;
}

async function lookUp(socket: Socket): Promise<number | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [row, another] = await rowsOfPeer(socket);
    if (!isConnected(socket)) return undefined;
    if (another !== undefined || row?.[STATE_COLUMN] !== ESTABLISHED) continue;
    const uid = Number(row[UID_COLUMN]);
    return uid === OVERFLOW_UID ? undefined : uid;
  }
  return undefined;
}

/**
 * Returns the rows of all sockets, in any state, that have the peer's endpoints. Each row is an array of the columns
 * after the endpoints.
 */
async function rowsOfPeer({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<string[][]> {
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return [];
  const found = ([4, 6] as const).map(async (family) => {
    const [from, to] = [hexAddress(remoteAddress, family), hexAddress(localAddress, family)];
    if (!from || !to) return [];
    const table = await readTable[family]();
    return table.rowsTo(`${to}:${hexPort(localPort)}`).get(`${from}:${hexPort(remotePort)}`) ?? [];
  });
  return (await Promise.all(found)).flat().map((columns) => columns.split(/\s+/));
}

/**
 * Asks the kernel whether this very socket still has a peer. `remoteAddress` would prove nothing, because Node caches
 * it.
 */
function isConnected(socket: Socket): boolean {
  // Node provides no other access to getpeername(2). If this one is missing too, no user is trusted.
  const { _handle: handle } = socket as { _handle?: { getpeername?: (found: object) => number } | null };
  return handle?.getpeername?.({}) === 0;
}

/**
 * Reads the tables; concurrent callers share a read. A read takes milliseconds, so many new connections must not each
 * start one.
 */
const readTable = {
  4: shared(async () => new SocketTable(await read('/proc/net/tcp'))),
  6: shared(async () => new SocketTable(await read('/proc/net/tcp6'))),
};

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    // There is no /proc, or no IPv6, so the peer stays unknown.
    return '';
  }
}

/**
 * A snapshot of the kernel's table. Indexes all rows for a server port at once, because concurrent lookups usually
 * concern the same port.
 */
class SocketTable {
  readonly #byServer = new Map<string, Map<string, string[]>>();

  constructor(readonly text: string) {}

  /**
   * Returns the rows for a server endpoint, by the caller's endpoint. Each row consists of the columns after the
   * endpoints.
   */
  rowsTo(server: string): Map<string, string[]> {
    let rows = this.#byServer.get(server);
    if (!rows) this.#byServer.set(server, (rows = this.#find(` ${server} `)));
    return rows;
  }

  #find(server: string): Map<string, string[]> {
    const { text } = this;
    const found = new Map<string, string[]>();
    for (let at = text.indexOf(server); at >= 0; at = text.indexOf(server, at + 1)) {
      const caller = text.slice(text.lastIndexOf(' ', at - 1) + 1, at);
      const columns = text.slice(at + server.length, text.indexOf('\n', at)).trim();
      found.set(caller, [...(found.get(caller) ?? []), columns]);
    }
    return found;
  }
}

const hexPort = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/**
 * Formats an address as in the tables: 32-bit words in the machine's byte order. An IPv4 address can appear in the IPv6
 * table as ::ffff:a.b.c.d, depending on how each end opened its socket.
 */
function hexAddress(address: string, family: 4 | 6): string | undefined {
  const bytes = ipv4Bytes(plainAddress(address)) ?? (address === '::1' ? LOOPBACK_V6 : undefined);
  if (!bytes) return undefined;
  if (family === 4) return bytes.length === 4 ? hexWords(bytes) : undefined;
  return hexWords(bytes.length === 4 ? [...MAPPED_PREFIX, ...bytes] : bytes);
}

/** XORing a byte index with this reverses the order of the four bytes in a word. */
const LAST_OF_WORD = 3;
const LOOPBACK_V6 = [...Array<number>(15).fill(0), 1];
const MAPPED_PREFIX = [...Array<number>(10).fill(0), 0xff, 0xff];

function ipv4Bytes(address: string): number[] | undefined {
  return isIPv4(address) ? address.split('.').map(Number) : undefined;
}

function hexWords(bytes: readonly number[]): string {
  const ordered = endianness() === 'LE' ? bytes.map((_, index) => bytes[index ^ LAST_OF_WORD]!) : bytes;
  return ordered.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}
