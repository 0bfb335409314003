/**
 * Tests the events of the terminals of several hosts: of hosts that another process starts, and across the loss, the
 * hand-off and the silence of a host.
 */
import { rmSync } from 'node:fs';
import type { Watch } from '../../src/contract/manager.js';
import type { ManagerEvent, WatchedEvent } from '../../src/contract/watch.js';
import { HostLink } from '../../src/host/host-link.js';
import { lockDirectory } from '../../src/host/ownership.js';
import { eventsUntil } from '../engine/engine-under-test.js';
import { endHosts, HOST_MAIN, hostPids, murder, newPlaces, openManager } from './host-under-test.js';
import { runs } from '../deep.js';

const SLEEP = { command: 'sleep', args: ['1000'] };
const HAND_OFFS = runs({ normal: 2, deep: 10 });
/** Each starts a process, while another caller uses the host without a pause. */
const HAND_OFFS_TIMEOUT_MS = HAND_OFFS * 20_000;
/** Enough that some are under way during each hand-off. */
const CHANGES_PER_HAND_OFF = 300;

afterEach(endHosts);

/** Returns the events up to the first that fits; the watch is closed. */
async function until(watch: Watch, isLast: (event: ManagerEvent) => boolean): Promise<ManagerEvent[]> {
  return (await eventsUntil<WatchedEvent>(watch, ({ event }) => isLast(event))).map(({ event }) => event);
}

const creationOf = (id: string) => (event: ManagerEvent) => event.type === 'created' && event.terminalId === id;
const isReset = ({ type }: ManagerEvent) => type === 'reset';
const createdIn = (events: readonly ManagerEvent[]) =>
  events.flatMap((event) => (event.type === 'created' ? event.terminalId : []));

it('includes hosts that another process starts later, from their first event, and starts none', async () => {
  const places = newPlaces();
  const watch = await openManager(places).watch();
  expect(hostPids(places)).toEqual([]);
  const other = openManager(places, { maxHostTerminals: 1 });
  const ids = [(await other.create(SLEEP)).id, (await other.create(SLEEP)).id];
  expect(hostPids(places)).toHaveLength(2);
  const events = await until(watch, creationOf(ids[1]!));
  // Hosts are joined at the same time, so their order is open.
  expect(ids).toEqual(expect.arrayContaining(createdIn(events)));
  expect(events.filter(isReset)).toEqual([]);
});

it('notices a new host even if the directory of the locks was removed meanwhile', async () => {
  const places = newPlaces();
  const manager = openManager(places, { maxHostTerminals: 1 });
  await manager.create(SLEEP);
  const watch = await manager.watch();
  rmSync(lockDirectory(places), { recursive: true });
  const { id } = await manager.create(SLEEP);
  expect(createdIn(await until(watch, creationOf(id)))).toContain(id);
});

it('continues in every host after a cursor', async () => {
  const places = newPlaces();
  const manager = openManager(places, { maxHostTerminals: 1 });
  const ids = [(await manager.create(SLEEP)).id, (await manager.create(SLEEP)).id];
  const { cursor } = await manager.watch();
  for (const id of ids) await manager.control(id, { action: 'take', name: 'Ada' });
  const third = await manager.create(SLEEP);
  const [first] = await eventsUntil<WatchedEvent>(await manager.watch({ after: cursor }), () => true);
  const rest = (await manager.watch({ after: first!.cursor }))[Symbol.asyncIterator]();
  const events = [first!.event];
  while (events.length < 3) events.push(((await rest.next()).value as WatchedEvent).event);
  const told = events.map((event) => `${event.type} ${'terminalId' in event ? event.terminalId : ''}`);
  expect(told.sort()).toEqual([...ids.map((id) => `control ${id}`), `created ${third.id}`].sort());
});

it('is reset when a host is killed, and follows the host that replaces it', async () => {
  const places = newPlaces();
  const manager = openManager(places);
  const { id: lost } = await manager.create(SLEEP);
  const watch = await manager.watch();
  const { cursor } = watch;
  await murder(hostPids(places)[0]!);
  const events = watch[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ event: { type: 'reset' } });
  expect(hostPids(places)).toEqual([]);
  // Nobody is left to continue with.
  expect(await until(await manager.watch({ after: cursor }), isReset)).toHaveLength(1);
  expect(await manager.list()).toMatchObject([{ id: lost, status: 'lost' }]);
  const { id } = await manager.create(SLEEP);
  expect((await events.next()).value).toMatchObject({ event: { type: 'created', terminalId: id } });
  await manager.remove(lost);
  expect((await events.next()).value).toMatchObject({ event: { type: 'removed', terminalId: lost } });
  expect(await until(await manager.watch({ after: cursor }), isReset)).toHaveLength(1);
});

it('starts no host, and keeps no other call of the same moment from starting one', async () => {
  const { dataDir, runtimeDir } = newPlaces();
  const link = new HostLink({
    host: { slot: 0, dataDir, runtimeDir, maxTerminals: 5, idleExitMs: 60_000, logLevel: 'info', engine: {} },
    ...{ hostProgram: [HOST_MAIN], startTimeoutMs: 10_000, pingEveryMs: 1000, unresponsiveAfterMs: 5000 },
    log: () => {},
  });
  await expect(link.watch({ lines: [] })).rejects.toMatchObject({ code: 'HOST_LOST' });
  const [watching, listing] = [link.watch({ lines: [] }), link.request({ method: 'list' })];
  await expect(listing).resolves.toEqual([]);
  expect((await watching).start.cursor).toMatch(/\.0$/);
  link.close();
});

it(
  `loses and repeats nothing when a host hands over ${HAND_OFFS} times`,
  async () => {
    const manager = openManager(newPlaces());
    const { id } = await manager.create(SLEEP);
    const watch = await manager.watch();
    const done: string[] = [];
    const failed: string[] = [];
    let isOver = false;
    const change = async (): Promise<void> => {
      for (let number = 0; !isOver || number < HAND_OFFS * CHANGES_PER_HAND_OFF; number++) {
        const name = `holder ${String(number).padStart(6, '0')}`;
        const taken = await manager.control(id, { action: 'take', name }).catch(() => null);
        (taken === null ? failed : done).push(name);
      }
    };
    const changing = change();
    const seen = until(watch, ({ type }) => type === 'removed');
    // A question that is answered before its host has looked twice is not reported.
    const asked = until(await manager.watch(), ({ type }) => type === 'waiting');
    const { id: brief } = await manager.create({ command: 'sh', args: ['-c', 'read line; exit 3'] });
    await asked;
    for (let round = 0; round < HAND_OFFS; round++) {
      await manager.upgradeHosts();
      // The connection to the old host ends about now. A list is retried.
      await manager.list();
    }
    isOver = true;
    await changing;
    await manager.write(brief, { input: 'go' });
    await manager.wait(brief, {});
    await manager.remove(brief);
    const events = await seen;
    const names = events.flatMap((event) => (event.type === 'control' ? (event.holder?.name ?? []) : []));
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.filter((name) => !failed.includes(name))).toEqual(done);
    expect(events.filter(isReset)).toEqual([]);
    const ids = events.map((event) => 'id' in event && event.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(events.filter(({ type }) => type !== 'control')).toMatchObject([
      { type: 'created', terminalId: brief },
      { type: 'waiting', terminalId: brief },
      { type: 'answered', terminalId: brief },
      { type: 'ended', terminalId: brief, exitCode: 3 },
      { type: 'removed', terminalId: brief },
    ]);
  },
  HAND_OFFS_TIMEOUT_MS,
);

it('of a host that hangs is late, and delays that of no other', async () => {
  const places = newPlaces();
  const manager = openManager(places, { maxHostTerminals: 1, pingEveryMs: 50, unresponsiveAfterMs: 2500 });
  const hung = await manager.create(SLEEP);
  const [host] = hostPids(places);
  const well = await manager.create(SLEEP);
  const before = await manager.watch();
  process.kill(host!, 'SIGSTOP');
  const after = await manager.watch();
  const take = (id: string) => manager.control(id, { action: 'take', name: 'Ada' });
  await take(well.id);
  const both = [before, after].map((watch) => watch[Symbol.asyncIterator]());
  for (const events of both) {
    expect((await events.next()).value).toMatchObject({ event: { type: 'control', terminalId: well.id } });
  }
  process.kill(host!, 'SIGCONT');
  // It has begun after the host had stopped, so events may be missing.
  expect((await both[1]!.next()).value).toMatchObject({ event: { type: 'reset' } });
  await openManager(places).control(hung.id, { action: 'take', name: 'Ada' });
  for (const events of both) {
    expect((await events.next()).value).toMatchObject({ event: { type: 'control', terminalId: hung.id } });
  }
});
