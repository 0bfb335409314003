/**
 * Tests clients that request much and never read: some follow a flood, others read all of a long history repeatedly.
 * The host's memory stays bounded, and other clients are served.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { TerminalDetail } from '../../src/contract/terminal.js';
import { encodeHeader } from '../../src/host/frames.js';
import { KIND } from '../../src/host/protocol.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { readUntil } from '../engine/engine-under-test.js';
import { bareSocket, endHosts, hostPids, newPlaces, openManager } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { descriptorsAtRest, expectDescriptors, memoryOf, openDescriptorsOf } from './process-state.js';
import { underLoad } from './load.js';
import { FAULT_RUNS, FAULT_TIMEOUT_MS } from './runs.js';
import { eventually } from '../eventually.js';

const LINES = 1_000_000;
/** Allowance for garbage not collected yet, and the window of each subscription. */
const MAX_GROWTH_BYTES = 192 << 20;
/** The limit for answers that a client has not read; the last one may exceed it. */
const MAX_WAITING_BYTES = 16 << 20;
/** Each page exists as text, JSON and bytes until they are collected; all requested pages together would take 8 GB. */
const MAX_PAGES_GARBAGE_BYTES = 1 << 30;
/** Pages of a long history: many bytes, or many lines, which take long to read. */
const PAGE = { since: 0, maxLines: 1_000_000, maxBytes: 1 << 20 };
const PAGES_EACH = 400;
/** Lines of one kilobyte. */
const WIDE_LINES = 4000;

let places: Places;
let manager: RemoteTerminalManager;
const deaf: Socket[] = [];
underLoad();
beforeEach(() => {
  places = newPlaces();
  manager = openManager(places);
});
afterEach(async () => {
  for (const socket of deaf.splice(0)) socket.destroy();
  await endHosts();
});

/** A client that completes the handshake, sends these requests and never reads an answer. */
async function ask(...requests: object[]): Promise<void> {
  const socket = await bareSocket(places);
  socket.on('error', () => {});
  deaf.push(socket);
  send(socket, KIND.hello, 0, { protocols: [1], version: '1.0.0' });
  await once(socket, 'readable');
  requests.forEach((request, index) => send(socket, KIND.request, index + 1, request));
}

function send(socket: Socket, kind: number, id: number, payload: object): void {
  const bytes = Buffer.from(JSON.stringify(payload));
  socket.write(Buffer.concat([encodeHeader(kind, id, bytes.length), bytes]));
}

/** Prints after it gets a line, then waits for another. */
function openFlood(): Promise<TerminalDetail> {
  return manager.create({ command: 'sh', args: ['-c', `read go; seq 1 ${LINES}; read end`] });
}

/** Reads all bytes of the flood as a normal client; checks that offsets have no gap. */
async function readFlood(id: string): Promise<number> {
  let end = 0;
  for await (const event of await manager.subscribe(id, 0)) {
    if (event.type !== 'output') throw new Error(`${event.type} came in the middle`);
    expect(event.offset).toBe(end);
    end += event.bytes.length;
    if (Buffer.from(event.bytes.subarray(-16)).includes(`${LINES}\r\n`)) return end;
  }
  throw new Error('the flood has ended');
}

it(
  `serves others with bounded memory while ${FAULT_RUNS} subscribers of a flood never read`,
  async () => {
    const { id } = await openFlood();
    const [host] = hostPids(places);
    const before = await descriptorsAtRest(host!);
    for (let run = 0; run < FAULT_RUNS; run++) await ask({ method: 'subscribe', id, argument: 0 });
    await eventually(async () => (await manager.get(id)).viewers === FAULT_RUNS);
    const memory = memoryOf(host!);
    await manager.write(id, { input: 'go' });
    expect(await readFlood(id)).toBeGreaterThan(LINES);
    expect(memoryOf(host!) - memory).toBeLessThan(MAX_GROWTH_BYTES);
    for (const socket of deaf.splice(0)) socket.destroy();
    await eventually(async () => (await manager.get(id)).viewers === 0);
    await expectDescriptors(host!, before);
  },
  FAULT_TIMEOUT_MS,
);

const pagesOf = (id: string): object[] =>
  Array.from({ length: PAGES_EACH }, () => ({ method: 'read', id, argument: PAGE }));

it(
  `serves others with bounded memory while ${FAULT_RUNS} clients request many pages and read none`,
  async () => {
    const script = `seq -f "%01000.0f" 1 ${WIDE_LINES}; echo done; read end`;
    const { id } = await manager.create({ command: 'sh', args: ['-c', script] });
    await readUntil(manager, id, (text) => text.endsWith('done'));
    const [host] = hostPids(places);
    const before = await descriptorsAtRest(host!);
    const memory = memoryOf(host!);
    for (let run = 0; run < FAULT_RUNS; run++) {
      await ask(...pagesOf(id));
      expect((await manager.read(id, { mode: 'tail', tailLines: 1 })).output).toBe('done');
    }
    const { id: other } = await manager.create({ command: 'echo', args: ['hello'] });
    expect(await readUntil(manager, other, (_, { isActive }) => !isActive)).toBe('hello');
    expect(memoryOf(host!) - memory).toBeLessThan(MAX_PAGES_GARBAGE_BYTES + FAULT_RUNS * MAX_WAITING_BYTES);
    for (const socket of deaf.splice(0)) socket.destroy();
    await eventually(async () => {
      await manager.get(id);
      return openDescriptorsOf(host!).length <= before.length;
    });
  },
  FAULT_TIMEOUT_MS,
);

it('serves others while a client requests many expensive pages', async () => {
  const { id } = await openFlood();
  await manager.write(id, { input: 'go' });
  await readFlood(id);
  const impatient = openManager(places, { unresponsiveAfterMs: 10_000 });
  await impatient.list();
  await ask(...pagesOf(id));
  // Each is answered between two pages. If it had to wait for all of them, the host would count as hung.
  for (let count = 0; count < 5; count++)
    expect((await impatient.read(id, { mode: 'tail', tailLines: 1 })).output).toBe(String(LINES));
});
