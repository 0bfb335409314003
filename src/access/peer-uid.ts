/**
 * Which user the other end of a loopback connection belongs to, as the kernel has it. Linux only:
 * elsewhere nobody is known, so nobody is trusted.
 */
import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/** The user that unmapped and unknown users are shown as; it proves nothing about anyone. */
const OVERFLOW_UID = 65_534;
/** The kernel gives the table page by page, so an entry can be missed while others come and go. */
const ATTEMPTS = 3;
/** TCP_ESTABLISHED. In later states a socket may have lost its owner and is shown as root's. */
const ESTABLISHED = '01';
/** Columns between the state and the uid: queues, timer, retransmits. */
const UID_COLUMN = 3;

const known = new WeakMap<Socket, Promise<number | undefined>>();

/**
 * The uid of the process that opened the other end of this connection, or undefined when the kernel
 * does not say. Looked up once per connection. Never rejects.
 */
export function peerUid(socket: Socket): Promise<number | undefined> {
  let uid = known.get(socket);
  if (!uid) known.set(socket, (uid = lookUp(socket)));
  return uid;
}

async function lookUp(socket: Socket): Promise<number | undefined> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    for (const family of [4, 6] as const) {
      const local = hexAddress(remoteAddress, family);
      const remote = hexAddress(localAddress, family);
      if (!local || !remote) continue;
      const entry = ` ${local}:${hexPort(remotePort)} ${remote}:${hexPort(localPort)} ${ESTABLISHED} `;
      const uid = findUid(await readTable[family](), entry);
      if (uid !== undefined) return uid === OVERFLOW_UID ? undefined : uid;
    }
  }
  return undefined;
}

const readTable = { 4: shared(() => read('/proc/net/tcp')), 6: shared(() => read('/proc/net/tcp6')) };

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    // No /proc, or no IPv6: the peer stays unknown.
    return '';
  }
}

/**
 * One read at a time, shared by all who asked before it began: reading takes milliseconds where there
 * are many connections, and a crowd of new ones must not queue up as many reads.
 */
function shared(readOnce: () => Promise<string>): () => Promise<string> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<string> | undefined;
  const begin = () => {
    next = undefined;
    const reading = readOnce();
    current = reading;
    return reading;
  };
  return () => (next ??= current.then(begin));
}

function findUid(table: string, entry: string): number | undefined {
  const at = table.indexOf(entry);
  if (at < 0) return undefined;
  const columns = table
    .slice(at + entry.length, table.indexOf('\n', at))
    .trim()
    .split(/\s+/);
  return Number(columns[UID_COLUMN]);
}

const hexPort = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/**
 * An address as the tables write it: 32-bit words in the machine's byte order. IPv4 may stand in the
 * IPv6 table as ::ffff:a.b.c.d, whichever way either end opened its socket.
 */
function hexAddress(address: string, family: 4 | 6): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const bytes = ipv4Bytes(mapped ?? address) ?? (address === '::1' ? LOOPBACK_V6 : undefined);
  if (!bytes) return undefined;
  if (family === 4) return bytes.length === 4 ? hexWords(bytes) : undefined;
  return hexWords(bytes.length === 4 ? [...MAPPED_PREFIX, ...bytes] : bytes);
}

/** Reverses the places of four bytes when XORed with their index. */
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
