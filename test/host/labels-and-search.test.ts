/** Labels, and searching, where hosts come and go: handed over, kept on disk, and beside hosts of an earlier version. */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { encodeHeader, FrameDecoder } from '../../src/host/frames.js';
import type { Frame } from '../../src/host/frames.js';
import { lockDirectory, ownSlot } from '../../src/host/ownership.js';
import { KIND } from '../../src/host/protocol.js';
import type { Kind } from '../../src/host/protocol.js';
import { historyDirectory, prepareHostDirectory, socketPath } from '../../src/host/runtime-directory.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from './host-under-test.js';
import type { Places } from './host-under-test.js';
import { eventually } from '../eventually.js';

/** Of hosts that are none: first gone, so that nothing is asked of them in ending the others. */
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await endHosts();
});

const CAT = { command: 'cat' };
const labels = { project: 'web', number: '0' };

it('go to the host that takes over', async () => {
  const manager = openManager(newPlaces());
  const { id } = await manager.create({ ...CAT, labels });
  await manager.upgradeHosts();
  expect((await manager.list({ labels })).map((one) => one.id)).toEqual([id]);
  expect((await manager.get(id)).labels).toEqual(labels);
});

it.each([1, 2, 3, 4, 5])('a search that a hand-off may interrupt is made all the same (%i)', async () => {
  const manager = openManager(newPlaces());
  const { id } = await manager.create({ command: 'seq', args: ['1', '200000'], labels });
  await manager.wait(id, { timeoutMs: 60_000 });
  const searching = Promise.all([0, 1, 2].map(() => manager.search(id, { regex: '^199999$' })));
  await manager.upgradeHosts();
  for (const { matches } of await searching) expect(matches).toMatchObject([{ line: 199_998, text: '199999' }]);
});

it('are on disk: terminals that ended, and those that were lost with their host, are found by them', async () => {
  const places = newPlaces();
  const manager = openManager(places);
  const lost = await manager.create({ ...CAT, labels });
  const other = await manager.create({ ...CAT, labels: { project: 'other' } });
  const ended = await manager.create({ command: 'true', labels });
  await manager.wait(ended.id, {});
  const record = join(historyDirectory(places.dataDir, 0), ended.id, 'terminal.json');
  await eventually(() => readFileSync(record, 'utf8').includes('"exit":{'));
  await murder(hostPids(places)[0]!);
  const found = await manager.list({ labels });
  expect(found.map(({ id, status }) => [id, status])).toEqual([
    [lost.id, 'lost'],
    [ended.id, 'exited'],
  ]);
  expect((await manager.get(lost.id)).labels).toEqual(labels);
  expect((await manager.list({ labels: { project: 'other' } })).map(({ id }) => id)).toEqual([other.id]);
});

describe('beside a host of an earlier version', () => {
  const OLD = { id: 'old', pid: 1, shell: '/bin/sh', cwd: '/', status: 'active', ...times() };

  it('a terminal with labels goes elsewhere; its own has none, and is not found by any', async () => {
    const places = newPlaces();
    const asked = await earlierHost(places);
    const manager = openManager(places);
    const { id } = await manager.create({ ...CAT, labels });
    expect((await manager.list()).map((one) => one.id)).toEqual(['old', id]);
    expect((await manager.list({ labels })).map((one) => one.id)).toEqual([id]);
    expect((await manager.get('old')).labels).toEqual({});
    expect(asked).not.toContain('create');
  });

  it('what it does not know is not asked of it, and what is to be done is said', async () => {
    const places = newPlaces();
    const asked = await earlierHost(places);
    const manager = openManager(places);
    await expect(manager.search('old', { text: 'x' })).rejects.toMatchObject({
      code: 'HOST_FAILED',
      message: expect.stringMatching(/knows nothing of searching.*upgrade-host/) as string,
    });
    expect(asked).not.toContain('search');
  });

  function times() {
    return { created: '2025-01-01T00:00:00.000Z', lastActivity: '2025-01-01T00:00:00.000Z' };
  }

  /** Owns slot 0; gives the names of the requests it gets, and answers them as the second version did. */
  async function earlierHost(places: Places): Promise<string[]> {
    const asked: string[] = [];
    const directory = prepareHostDirectory(places);
    const lock = join(lockDirectory(places), `host-0.lock.${ownSlot(places, 0)!.generation}`);
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      const decoder = new FrameDecoder();
      socket.on('error', () => {});
      socket.on('data', (bytes) => decoder.push(bytes).forEach((frame) => answer(socket, frame, asked)));
    });
    server.listen(socketPath(directory, 0));
    await once(server, 'listening');
    ends.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
      rmSync(lock);
    });
    return asked;
  }

  function answer(socket: Socket, { kind, id, payload }: Frame, asked: string[]): void {
    if (kind === KIND.ping) say(socket, KIND.pong, id, {});
    if (kind === KIND.hello) say(socket, KIND.hello, id, HELLO);
    if (kind !== KIND.request) return;
    const { method } = JSON.parse(payload.toString()) as { method: keyof typeof ANSWERS };
    asked.push(method);
    say(socket, KIND.answer, id, ANSWERS[method]);
  }

  const LOAD = { active: 1, memoryBytes: 1, hasRoom: true };
  const HELLO = { protocol: 2, protocols: [2, 1], version: '0.1.0', pid: process.pid, slot: 0, load: LOAD };
  const ANSWERS = { load: LOAD, list: [OLD], get: OLD, create: null };

  function say(socket: Socket, kind: Kind, id: number, value: unknown): void {
    const payload = Buffer.from(JSON.stringify(value));
    socket.write(Buffer.concat([encodeHeader(kind, id, payload.length), payload]));
  }
});
