/**
 * Tests hosts that are killed, hang, or speak another version or nonsense: what is reported, and that everything
 * continues afterwards.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import type { TerminalEvent } from '../../src/contract/event.js';
import type { Subscription } from '../../src/contract/manager.js';
import { encodeHeader } from '../../src/host/frames.js';
import { KIND } from '../../src/host/protocol.js';
import { lockDirectory, claimSlot } from '../../src/host/ownership.js';
import { prepareHostDirectory, socketPath } from '../../src/host/runtime-directory.js';
import { readUntil } from '../engine/engine-under-test.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from './host-under-test.js';
import type { Places } from './host-under-test.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';

const SLEEP = { command: 'sleep', args: ['1000'] };
const CAT = { command: '/bin/sh', args: ['-c', 'stty -echo; cat'] };
/**
 * Short, so that a test of a hung host takes less time than a person would wait, but long enough for a working host on
 * a busy machine.
 */
const IMPATIENT = { pingEveryMs: 50, unresponsiveAfterMs: 2500 };
const ROUNDS = runs({ normal: 2, deep: 5 });

const servers: { server: Server; sockets: Socket[]; lock: string }[] = [];
afterEach(async () => {
  for (const { server, sockets, lock } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(lock);
  }
  await endHosts();
});

async function allOf(subscription: Subscription): Promise<TerminalEvent[]> {
  const events: TerminalEvent[] = [];
  for await (const event of subscription) events.push(event);
  return events;
}

/** Resolves with the code of the promise's error. */
function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no error',
    (error: { code: unknown }) => error.code,
  );
}

describe('a killed host', () => {
  it.each(Array.from({ length: ROUNDS }, (_, i) => [i]))(
    'makes requests with effects fail; read-only ones are sent to the next host (%i)',
    async () => {
      const places = newPlaces();
      const manager = openManager(places);
      const { id } = await manager.create(CAT);
      await manager.write(id, { input: Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n') });
      await readUntil(manager, id, (text) => text.includes('line 99'));
      await eventually(async () => (await manager.stats(id)).history.savedLines > 50);
      const events = allOf(await manager.subscribe(id, 0));
      const waiting = manager.read(id, { since: 1000, timeoutMs: 60_000 });
      const [pid] = hostPids(places);
      // It no longer reads, so that requests made now are lost with it.
      process.kill(pid!, 'SIGSTOP');
      const typed = codeOf(manager.write(id, { input: 'x' }));
      const asked = [manager.get(id), manager.stats(id), manager.screen(id), manager.read(id), manager.snapshot(id)];
      await murder(pid!);
      // Whether the text was typed is unknown; a pure read is repeated on the next host.
      expect(await typed).toBe('HOST_LOST');
      expect((await Promise.all(asked)).length).toBe(asked.length);
      // Both continue by themselves, with what the next host finds on disk.
      expect(await waiting).toMatchObject({ isActive: false, exitCode: null, signal: null });
      const last = (await events).slice(-2);
      expect(last).toMatchObject([{ type: 'exit', exitCode: null, signal: null }, { type: 'end' }]);
      expect((await manager.list()).map(({ status }) => status)).toEqual(['lost']);
      expect((await manager.read(id)).output).toMatch(/^line 0\nline 1\n/);
      expect(await codeOf(manager.write(id, { input: 'x' }))).toBe('TERMINAL_INACTIVE');
      expect(await manager.create({ like: id })).toMatchObject({ status: 'active' });
      expect(await manager.summary()).toMatchObject({ activeTerminals: 1, lostTerminals: 1, problems: [] });
      expect(hostPids(places)).toHaveLength(1);
    },
  );

  it('ends the stream of a terminal that was in memory only', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const { id } = await manager.create({ ...SLEEP, history: 'memory' });
    const events = allOf(await manager.subscribe(id, 0));
    await murder(hostPids(places)[0]!);
    expect(await events).toEqual([{ type: 'end', offset: 0 }]);
    expect(await manager.list()).toEqual([]);
  });

  it('is started again by the next reader of what it left on disk', async () => {
    const places = newPlaces();
    const { id } = await openManager(places).create(SLEEP);
    await murder(hostPids(places)[0]!);
    const later = openManager(places);
    expect(await later.get(id)).toMatchObject({
      id,
      status: 'lost',
      shell: expect.stringContaining('sleep') as string,
    });
  });
});

describe('a host that hangs', () => {
  it('is reported within moments, and recovers; others are unaffected', async () => {
    const places = newPlaces();
    const manager = openManager(places, { ...IMPATIENT, maxHostTerminals: 1 });
    const hung = await manager.create(CAT);
    const well = await manager.create(CAT);
    await manager.list();
    const [pid] = hostPids(places);
    const events = (await manager.subscribe(hung.id, 0))[Symbol.asyncIterator]();
    process.kill(pid!, 'SIGSTOP');
    const waiting = manager.read(hung.id, { timeoutMs: 60_000 });
    expect(await codeOf(waiting)).toBe('HOST_UNRESPONSIVE');
    expect(await codeOf(manager.write(hung.id, { input: 'x' }))).toBe('HOST_UNRESPONSIVE');
    expect((await manager.list()).map(({ id }) => id)).toEqual([hung.id, well.id]);
    const { activeTerminals, problems } = await manager.summary();
    expect({ activeTerminals, problems }).toEqual({
      activeTerminals: 1,
      problems: [expect.stringMatching(`^host 0 \\(pid ${pid}\\) has not responded for \\d+ s$`)],
    });
    expect(await codeOf(manager.get('nobody'))).toBe('HOST_UNRESPONSIVE');
    await manager.write(well.id, { input: 'still here' });
    await readUntil(manager, well.id, (text) => text.includes('still here'));
    const third = await manager.create(SLEEP);
    expect(hostPids(places)).toHaveLength(3);
    process.kill(pid!, 'SIGCONT');
    await eventually(async () => (await manager.summary()).problems.length === 0);
    await manager.write(hung.id, { input: 'back' });
    expect(await readUntil(manager, hung.id, (text) => text.includes('back'))).toContain('back');
    // Input that failed before it was sent, while the host hung, was never typed; the stream simply continues.
    expect((await events.next()).value).toMatchObject({ type: 'output', offset: 0 });
    expect(await manager.list()).toHaveLength(3);
    expect(await manager.get(third.id)).toMatchObject({ status: 'active' });
  });

  it('is noticed by a new client, too', async () => {
    const places = newPlaces();
    const { id } = await openManager(places).create(SLEEP);
    const [pid] = hostPids(places);
    process.kill(pid!, 'SIGSTOP');
    const manager = openManager(places, IMPATIENT);
    expect((await manager.summary()).problems).toEqual([expect.stringMatching(`pid ${pid}`)]);
    expect(await codeOf(manager.get(id))).toBe('HOST_UNRESPONSIVE');
    process.kill(pid!, 'SIGCONT');
    await eventually(async () => (await manager.summary()).problems.length === 0);
    expect(await manager.get(id)).toMatchObject({ status: 'active' });
  });
});

/** Puts something in slot 0 that sends `words` to every client. */
async function impostor(places: Places, words: (socket: Socket) => void): Promise<void> {
  const directory = prepareHostDirectory(places);
  const lock = join(lockDirectory(places), `host-0.lock.${claimSlot(places, 0)!.generation}`);
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => {});
    words(socket);
  });
  server.listen(socketPath(directory, 0));
  await once(server, 'listening');
  servers.push({ server, sockets, lock });
}

function sayJson(socket: Socket, kind: number, value: unknown): void {
  const payload = Buffer.from(JSON.stringify(value));
  socket.write(Buffer.concat([encodeHeader(kind, 0, payload.length), payload]));
}

describe('a host of another version', () => {
  const hello = {
    ...{ protocol: null, protocols: [99], version: '99.0.0', pid: 4242, slot: 0 },
    load: { active: 1, memoryBytes: 1, hasRoom: true },
  };

  it('is named with advice; new terminals are created elsewhere', async () => {
    const places = newPlaces();
    await impostor(places, (socket) => sayJson(socket, KIND.hello, hello));
    const manager = openManager(places);
    const { problems } = await manager.summary();
    expect(problems).toEqual([expect.stringMatching(/^Host 0 \(pid 4242\) has version 99\.0\.0.*upgrade-host/)]);
    const { id } = await manager.create(SLEEP);
    expect(await manager.get(id)).toMatchObject({ status: 'active' });
    expect(hostPids(places)).toHaveLength(1);
  });
});

describe('a host that sends invalid data', () => {
  it.each([
    ['sends an incomplete hello', (socket: Socket) => sayJson(socket, KIND.hello, { protocol: 1 })],
    ['sends a huge frame', (socket: Socket) => socket.write(encodeHeader(KIND.answer, 1, 0xffff_ffff))],
    ['speaks HTTP', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['sends a frame of an unknown kind', (socket: Socket) => socket.write(encodeHeader(99, 1, 0))],
  ])('and %s is distinguished from a working one', async (_what, words) => {
    const places = newPlaces();
    await impostor(places, words);
    const manager = openManager(places);
    expect(await codeOf(manager.list())).toBe('HOST_FAILED');
    expect((await manager.summary()).problems).toHaveLength(1);
  });

  it('or only disconnects is given up after a while', async () => {
    const places = newPlaces();
    await impostor(places, (socket) => socket.destroy());
    expect(await codeOf(openManager(places, { startTimeoutMs: 200 }).list())).toBe('HOST_LOST');
  });
});
