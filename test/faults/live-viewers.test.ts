/**
 * Tests live connections of many clients, and of clients that do not read: the memory of the server stays bounded, and
 * neither the program nor other clients wait for them.
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { LIVE_OFFSET_BYTES, LIVE_PROTOCOL, type LiveMessage } from '../../src/contract/live.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { endHosts, newPlaces, openManager } from '../host/host-under-test.js';
import { encoded, openRawLive } from '../http/raw-live.js';
import { runs } from '../deep.js';
import { eventually } from '../eventually.js';
import { killDoors, Server } from './doors.js';
import { memoryOf } from './process-state.js';
import { FAULT_TIMEOUT_MS } from './runs.js';

const VIEWERS = runs({ normal: 30, deep: 100 });
const LINES = runs({ normal: 10_000, deep: 200_000 });
/** More than one client may have unread, from the host and to the network; and garbage not collected yet. */
const MAX_CLIENT_BYTES = 2 << 20;
const MAX_GARBAGE_BYTES = 96 << 20;

let manager: RemoteTerminalManager;
let server: Server;
beforeEach(async () => {
  const places = newPlaces();
  manager = openManager(places);
  server = await Server.start(places);
});
afterEach(async () => {
  await killDoors();
  await endHosts();
});

/** Checks that the output continues where the last message or snapshot ended, and keeps nothing of it. */
class Viewer {
  readonly socket: WebSocket;
  offset = 0;
  isEnded = false;

  constructor(id: string) {
    this.socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/terminals/${id}/live`, LIVE_PROTOCOL);
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#takeOutput(data);
      else this.#take(JSON.parse(data.toString()) as LiveMessage);
    });
  }

  #takeOutput(data: Buffer): void {
    if (Number(data.readBigUInt64BE()) !== this.offset) throw new Error(`Output is missing at ${this.offset}`);
    this.offset += data.length - LIVE_OFFSET_BYTES;
  }

  #take(message: LiveMessage): void {
    if (message.type === 'snapshot') this.offset = message.at;
    this.isEnded ||= message.type === 'ended';
  }
}

/** Prints many lines once it gets one, and ends. */
async function openFlood(): Promise<string> {
  const script = `stty -echo; read go; yes ${'x'.repeat(98)} | head -n ${LINES}; echo done`;
  return (await manager.create({ command: '/bin/sh', args: ['-c', script] })).id;
}

async function viewersOf(id: string, count: number): Promise<Viewer[]> {
  const viewers = Array.from({ length: count }, () => new Viewer(id));
  await eventually(async () => (await manager.get(id)).viewers === count);
  return viewers;
}

it(
  `shows a flood to ${VIEWERS} clients with bounded memory`,
  async () => {
    const id = await openFlood();
    const viewers = await viewersOf(id, VIEWERS);
    const memory = memoryOf(server.pid);
    await manager.write(id, { input: 'go' });
    await manager.wait(id, { timeoutMs: FAULT_TIMEOUT_MS });
    expect(memoryOf(server.pid) - memory).toBeLessThan(VIEWERS * MAX_CLIENT_BYTES + MAX_GARBAGE_BYTES);
    const { totalBytes } = await manager.get(id);
    expect(totalBytes).toBeGreaterThan(LINES * 100);
    await eventually(() => viewers.every(({ isEnded, offset }) => isEnded && offset === totalBytes), {
      within: FAULT_TIMEOUT_MS,
    });
    expect(memoryOf(server.pid) - memory).toBeLessThan(VIEWERS * MAX_CLIENT_BYTES + MAX_GARBAGE_BYTES);
  },
  2 * FAULT_TIMEOUT_MS,
);

it(
  'serves others with bounded memory while clients do not read a flood',
  async () => {
    const id = await openFlood();
    const deaf = await viewersOf(id, 20);
    for (const { socket } of deaf) socket.pause();
    const other = new Viewer(id);
    await eventually(async () => (await manager.get(id)).viewers === 21);
    const memory = memoryOf(server.pid);
    await manager.write(id, { input: 'go' });
    await eventually(() => other.isEnded, { within: FAULT_TIMEOUT_MS });
    expect(other.offset).toBe((await manager.get(id)).totalBytes);
    expect(memoryOf(server.pid) - memory).toBeLessThan(deaf.length * MAX_CLIENT_BYTES + MAX_GARBAGE_BYTES);
    for (const { socket } of deaf) socket.resume();
    await eventually(() => deaf.every(({ offset }) => offset === other.offset));
  },
  FAULT_TIMEOUT_MS,
);

it(
  'answers a client no further than it reads',
  async () => {
    const { id } = await manager.create({ command: 'cat' });
    const ping = encoded({ payload: Buffer.from('{"type":"ping"}') });
    const pings = Buffer.concat(Array.from({ length: 10_000 }, () => ping));
    const many = runs({ normal: 100, deep: 500 });
    const socket = await openRawLive(server.port, id, '?snapshot=false');
    const memory = memoryOf(server.pid);
    for (let sent = 0; sent < many; sent++) {
      socket.write(pings);
      // Meanwhile, the server has time to read as much as it wants.
      await server.list();
    }
    expect(memoryOf(server.pid) - memory).toBeLessThan(MAX_GARBAGE_BYTES);
    let pongs = 0;
    let rest = '';
    socket.resume().on('data', (bytes: Buffer) => {
      const parts = (rest + bytes.toString('latin1')).split('"pong"');
      pongs += parts.length - 1;
      rest = parts.at(-1)!.slice(1 - '"pong"'.length);
    });
    await eventually(() => pongs === many * 10_000, { missing: () => `${pongs} pongs`, within: FAULT_TIMEOUT_MS });
    socket.destroy();
    await once(socket, 'close');
  },
  2 * FAULT_TIMEOUT_MS,
);
