/**
 * Tests a host in this process with clients that send what no regular client would: it answers or closes the
 * connection.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { statSync, unlinkSync } from 'node:fs';
import { DEFAULT_ENGINE_OPTIONS, perTerminal, type EngineOptions } from '../../src/contract/options.js';
import { MAX_KEPT_EVENTS } from '../../src/contract/watch.js';
import { encodeHeader, FrameDecoder } from '../../src/host/frames.js';
import type { Frame } from '../../src/host/frames.js';
import {
  hostRequest,
  KIND,
  MAX_FRAME_BYTES,
  MAX_REQUEST_BYTES,
  PART_BYTES,
  PROTOCOLS,
  WATCH_WINDOW_BYTES,
  WINDOW_BYTES,
} from '../../src/host/protocol.js';
import { prepareHostDirectory, socketPath } from '../../src/host/runtime-directory.js';
import { HostServer } from '../../src/host/server.js';
import { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import { endHosts, newPlaces } from './host-under-test.js';
import { eventually } from '../eventually.js';

let manager: LocalTerminalManager;
let server: HostServer;
let path: string;
const sockets: Socket[] = [];

beforeEach(async () => {
  path = socketPath(prepareHostDirectory(newPlaces()), 0);
  manager = new LocalTerminalManager({ defaultShell: '/bin/sh' });
  server = new HostServer({ manager, slot: 0, maxTerminals: 5, log: () => {} });
  await server.listen(path);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
  await manager.shutdown(0);
  await endHosts();
});

/** Speaks the protocol by hand. */
class Client {
  readonly socket: Socket;
  readonly #decoder = new FrameDecoder();
  readonly #frames: Frame[] = [];
  readonly closed: Promise<unknown>;

  constructor() {
    this.socket = connect(path);
    sockets.push(this.socket);
    this.socket.on('data', (bytes) => this.#frames.push(...this.#decoder.push(bytes)));
    this.socket.on('error', () => {});
    this.closed = once(this.socket, 'close');
  }

  send(kind: number, id: number, payload: string | Buffer | object = ''): void {
    const isRaw = typeof payload === 'string' || Buffer.isBuffer(payload);
    const bytes = Buffer.from(isRaw ? (payload as string) : JSON.stringify(payload));
    this.socket.write(Buffer.concat([encodeHeader(kind, id, bytes.length), bytes]));
  }

  async next(): Promise<Frame> {
    await eventually(() => this.#frames.length > 0);
    return this.#frames.shift()!;
  }

  /** Returns the next frame's kind, id and JSON. */
  async json(): Promise<[number, number, never]> {
    const { kind, id, payload } = await this.next();
    return [kind, id, JSON.parse(payload.toString()) as never];
  }

  async greet(protocols: number[] = [1]): Promise<unknown> {
    this.send(KIND.hello, 0, { protocols, version: '9.9.9' });
    return (await this.json())[2];
  }
}

async function greeted(): Promise<Client> {
  const client = new Client();
  await client.greet();
  return client;
}

/** Checks that other clients are still served. */
async function expectWell(): Promise<void> {
  const client = await greeted();
  client.send(KIND.request, 1, { method: 'load' });
  expect(await client.json()).toMatchObject([KIND.answer, 1, { hasRoom: true }]);
}

describe('the socket', () => {
  it('is accessible to its user only', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is created again if it was removed, without effect on connected clients', async () => {
    const before = await greeted();
    unlinkSync(path);
    await server.keepSocket();
    await expectWell();
    before.send(KIND.request, 1, { method: 'list' });
    expect(await before.json()).toEqual([KIND.answer, 1, []]);
  });
});

describe('the hello', () => {
  it('chooses a version and describes the host', async () => {
    const hello = await new Client().greet([7, 1]);
    expect(hello).toMatchObject({ protocol: 1, pid: process.pid, slot: 0, load: { active: 0, hasRoom: true } });
  });

  it('without a common version allows only what every version supports', async () => {
    const client = new Client();
    expect(await client.greet([999])).toMatchObject({ protocol: null, protocols: PROTOCOLS });
    client.send(KIND.request, 1, { method: 'list' });
    expect(await client.json()).toMatchObject([KIND.failure, 1, { code: 'HOST_FAILED' }]);
    client.send(KIND.ping, 5);
    expect(await client.next()).toMatchObject({ kind: KIND.pong, id: 5 });
    client.send(KIND.request, 2, { method: 'handOff' });
    expect((await client.json())[2]).toMatchObject({ message: 'This host process cannot hand over its terminals' });
    client.send(KIND.request, 3, { method: 'shutdown' });
    expect(await client.json()).toEqual([KIND.answer, 3, null]);
  });

  it('must be the first message', async () => {
    const client = new Client();
    client.send(KIND.request, 1, { method: 'list' });
    expect((await client.json())[2]).toMatchObject({
      message: expect.stringContaining('must send hello first') as string,
    });
  });
});

describe('a faulty client', () => {
  it.each([
    ['speaks HTTP', (client: Client) => client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), 'A frame of'],
    ['sends a huge frame', (client: Client) => client.socket.write(encodeHeader(2, 1, MAX_FRAME_BYTES + 1)), 'at most'],
    ['sends a frame of an unknown kind', (client: Client) => client.send(77, 1), 'unknown kind: 77'],
    ['sends no JSON', (client: Client) => client.send(KIND.request, 1, '{"method":'), 'not valid JSON'],
    ['sends a hello without a version', (client: Client) => client.send(KIND.hello, 0, {}), 'protocols'],
  ])('and %s is disconnected with a reason; others are served', async (_what, misbehave, reason) => {
    const client = await greeted();
    misbehave(client);
    const [kind, id, failure] = await client.json();
    expect({ kind, id }).toEqual({ kind: KIND.failure, id: 0 });
    expect(failure).toMatchObject({ message: expect.stringContaining(reason) as string });
    await client.closed;
    await expectWell();
  });

  it.each([
    ['an unknown method', { method: 'explode' }, 'INVALID_INPUT'],
    ['no method', {}, 'INVALID_INPUT'],
    ['invalid arguments', { method: 'create', argument: { cols: 'wide' } }, 'INVALID_INPUT'],
    ['an unknown terminal', { method: 'get', id: 'x' }, 'TERMINAL_NOT_FOUND'],
    ['no terminal', { method: 'write', argument: { input: 'x' } }, 'TERMINAL_NOT_FOUND'],
    ['an invalid requesting process', { method: 'create', asker: { env: 5 } }, 'INVALID_INPUT'],
  ])('that requests %s gets an error and may continue', async (_what, request, code) => {
    const client = await greeted();
    client.send(KIND.request, 9, request);
    expect(await client.json()).toMatchObject([KIND.failure, 9, { code }]);
    client.send(KIND.request, 10, { method: 'list' });
    expect(await client.json()).toEqual([KIND.answer, 10, []]);
  });

  it('that stops in the middle of a frame has no effect on others', async () => {
    const client = await greeted();
    client.socket.write(Buffer.concat([encodeHeader(KIND.request, 1, 100), Buffer.from('{"me')]));
    await expectWell();
    client.socket.destroy();
    await expectWell();
  });

  it('that sends credit, cancellations and ends for unknown ids is ignored', async () => {
    const client = await greeted();
    client.send(KIND.credit, 4, Buffer.alloc(4, 255));
    client.send(KIND.cancel, 4);
    client.send(KIND.unsubscribe, 4);
    client.send(KIND.request, 1, { method: 'list' });
    expect(await client.json()).toEqual([KIND.answer, 1, []]);
  });

  it('that uses an id twice is disconnected', async () => {
    const { id } = await manager.create({ command: 'sleep', args: ['1000'] });
    const client = await greeted();
    client.send(KIND.request, 1, { method: 'read', id, argument: { timeoutMs: 60_000 } });
    client.send(KIND.request, 1, { method: 'list' });
    expect(await client.json()).toMatchObject([KIND.failure, 0, { code: 'HOST_FAILED' }]);
    await client.closed;
  });

  it('that sends endless parts is disconnected before they fill the memory', async () => {
    const client = await greeted();
    const part = Buffer.alloc(PART_BYTES);
    for (let bytes = 0; bytes <= MAX_REQUEST_BYTES; bytes += PART_BYTES) client.send(KIND.part, 1, part);
    expect(await client.json()).toMatchObject([
      KIND.failure,
      0,
      { message: expect.stringContaining('longer than') as string },
    ]);
    await client.closed;
  });
});

describe('requests', () => {
  it('are answered as they are ready, not in order of arrival', async () => {
    const { id } = await manager.create({ command: 'sleep', args: ['1000'] });
    const client = await greeted();
    client.send(KIND.request, 1, { method: 'read', id, argument: { timeoutMs: 60_000 } });
    client.send(KIND.request, 2, { method: 'list' });
    expect((await client.json())[1]).toBe(2);
    client.send(KIND.cancel, 1);
    expect(await client.json()).toMatchObject([KIND.answer, 1, { output: '', isActive: true }]);
  });

  it('that wait end with their client', async () => {
    const { id } = await manager.create({ command: 'sleep', args: ['1000'] });
    const client = await greeted();
    client.send(KIND.request, 1, { method: 'read', id, argument: { timeoutMs: 60_000 } });
    await eventually(async () => (await manager.summary()).waitingReads === 1);
    client.socket.destroy();
    await eventually(async () => (await manager.summary()).waitingReads === 0);
  });

  it('for the events of all terminals are answered until the client has enough', async () => {
    const client = await greeted();
    client.send(KIND.request, 1, { method: 'watch' });
    expect(await client.json()).toEqual([KIND.answer, 1, { cursor: expect.stringMatching(/^\w+\.0$/) }]);
    const { id } = await manager.create({ command: 'sleep', args: ['1000'] });
    expect(await client.json()).toMatchObject([KIND.event, 1, { event: { type: 'created', terminalId: id } }]);
    client.send(KIND.unsubscribe, 1);
    client.send(KIND.ping, 3);
    expect(await client.next()).toMatchObject({ kind: KIND.pong });
    await manager.remove(id, { graceMs: 0 });
    client.send(KIND.request, 2, { method: 'list' });
    expect(await client.json()).toEqual([KIND.answer, 2, []]);
  });

  it('for a stream that the client has given up meanwhile open none', async () => {
    const client = await greeted();
    client.send(KIND.request, 1, { method: 'watch' });
    client.send(KIND.unsubscribe, 1);
    const { id } = await manager.create({ command: 'sleep', args: ['1000'] });
    client.send(KIND.request, 2, { method: 'list' });
    expect(await client.json()).toMatchObject([KIND.answer, 2, [{ id }]]);
  });

  it('of any length arrive completely, in parts', async () => {
    const { id } = await manager.create({ command: 'sh', args: ['-c', 'stty -echo; cat'] });
    const client = await greeted();
    client.send(KIND.part, 1, `{"method":"write","id":"${id}",`);
    client.send(KIND.part, 1, '"argument":{"input"');
    client.send(KIND.request, 1, ':"in three parts"}}');
    expect(await client.json()).toEqual([KIND.answer, 1, null]);
    await eventually(async () => (await manager.read(id)).output.includes('in three parts'));
  });
});

describe('a client that never reads', () => {
  it('gets no more than the window of a flood, and delays no other client', async () => {
    const { id } = await manager.create({ command: 'yes', args: ['an overlong line'] });
    const client = await greeted();
    client.send(KIND.request, 1, { method: 'subscribe', id, argument: 0 });
    expect((await client.json())[2]).toEqual({ offset: 0 });
    let bytes = 0;
    const reader = await greeted();
    reader.send(KIND.request, 1, { method: 'subscribe', id, argument: 0 });
    expect((await reader.json())[2]).toEqual({ offset: 0 });
    // One client reads without granting credit; the other grants it and reads far beyond the window.
    for (let taken = 0; taken < 8 * WINDOW_BYTES;) {
      const { payload } = await reader.next();
      taken += payload.length;
      const credit = Buffer.alloc(4);
      credit.writeUInt32BE(payload.length);
      reader.send(KIND.credit, 1, credit);
    }
    for (let frame = await client.next(); ; frame = await client.next()) {
      bytes += frame.payload.length;
      if (bytes >= WINDOW_BYTES) break;
    }
    expect(bytes).toBeLessThan(WINDOW_BYTES + (64 << 10) + 8);
    client.send(KIND.ping, 3);
    expect(await client.next()).toMatchObject({ kind: KIND.pong });
  });

  it('gets no more than its window of the events of all terminals', async () => {
    const { id } = await manager.create({ command: 'sleep', args: ['1000'] });
    const client = await greeted();
    client.send(KIND.request, 1, { method: 'watch' });
    await client.next();
    const change = () => manager.control(id, { action: 'take', name: 'Ada' });
    // Always some frames ahead of those read here, so that none is waited for.
    for (let ahead = 0; ahead < 100; ahead++) await change();
    let bytes = 0;
    while (bytes < WATCH_WINDOW_BYTES) {
      const { payload } = await client.next();
      bytes += payload.length;
      await change();
    }
    for (let count = 0; count <= MAX_KEPT_EVENTS; count++) await change();
    client.send(KIND.ping, 3);
    expect(await client.next()).toMatchObject({ kind: KIND.pong });
    const credit = Buffer.alloc(4);
    credit.writeUInt32BE(bytes);
    client.send(KIND.credit, 1, credit);
    // What it has missed is no longer kept.
    expect((await client.json())[2]).toMatchObject({ event: { type: 'reset' } });
  });

  it('is not read from while its answers accumulate', async () => {
    const { id } = await manager.create({ command: 'seq', args: ['1', '10000'] });
    await eventually(async () => (await manager.read(id, { timeoutMs: 100 })).exitCode === 0);
    const client = await greeted();
    client.socket.pause();
    const asked = 500;
    const request = { method: 'read', id, argument: { maxLines: 10_000, format: 'raw' }, padding: 'x'.repeat(50_000) };
    for (let i = 1; i <= asked; i++) client.send(KIND.request, i, request);
    // What the host has not read stays in this process: it stopped reading long before the end.
    for (let i = 0; i < 100; i++) await expectWell();
    expect(client.socket.writableLength).toBeGreaterThan(0);
    client.socket.resume();
    let answered = 0;
    while (answered < asked) if ((await client.next()).kind === KIND.answer) answered++;
  });
});

it('a request keeps every option that can differ for one terminal', () => {
  const options = { ...DEFAULT_ENGINE_OPTIONS, defaultShell: '/bin/sh', connectionTimeoutMs: 5, connectionEnds: 'all' };
  const settings = perTerminal(options as EngineOptions);
  const request = { method: 'create', asker: { env: {}, cwd: '/', settings } };
  expect(hostRequest.parse(request)).toEqual(request);
});
