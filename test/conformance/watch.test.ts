/** Tests the events of all terminals, wherever they are held: complete, in order, filtered, and continued later. */
import type { TerminalManager, Watch } from '../../src/contract/manager.js';
import { LINES_INTERVAL_MS, managerEvent, MAX_KEPT_EVENTS } from '../../src/contract/watch.js';
import type { LinesEvent, ManagerEvent, WatchedEvent } from '../../src/contract/watch.js';
import { eventsUntil, MANAGERS, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

/** Timers may fire this much early, measured with another clock. */
const CLOCK_TOLERANCE_MS = 10;
/** More than are kept, and more than may be on their way from a host. */
const TOO_MANY = 3 * MAX_KEPT_EVENTS;

afterEach(stopEngines);

/**
 * Returns the events up to the first of a type; the watch is closed. Whether a program waits for input is a matter of
 * time.
 */
async function until(watch: Watch, type: ManagerEvent['type']): Promise<ManagerEvent[]> {
  const watched = await eventsUntil<WatchedEvent>(watch, ({ event }) => event.type === type);
  return watched.map(({ event }) => event).filter((event) => !['waiting', 'answered'].includes(event.type));
}

const typesOf = (events: readonly ManagerEvent[]) => events.map(({ type }) => type);

/** Changes the holder of a terminal; each change is an event. */
async function take(manager: TerminalManager, id: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, number) => `holder ${number}`);
  await Promise.all(names.map((name) => manager.control(id, { action: 'take', name })));
}

describe.each(MANAGERS)('a watch %s', (_where, startManager) => {
  it('tells everything that happens to a terminal, in order, each with an id and a time', async () => {
    const manager = startManager();
    const watch = await manager.watch();
    const { id } = await manager.create({ shell: 'bash', name: 'first' });
    await manager.update(id, { name: 'second', labels: { project: 'web' } });
    await manager.exec(id, { command: 'false' });
    const { token } = await manager.control(id, { action: 'take', name: 'Ada' });
    await manager.control(id, { action: 'release' }, { hold: token! });
    await manager.kill(id, { signal: 'SIGKILL' });
    await manager.remove(id);
    const events = await until(watch, 'removed');
    expect(events).toMatchObject([
      { type: 'created', terminal: { id, name: 'first', status: 'active' } },
      { type: 'changed', terminal: { id, name: 'second', labels: { project: 'web' } } },
      { type: 'command', phase: 'began', command: { text: 'false', state: 'running' } },
      { type: 'command', phase: 'ended', command: { text: 'false', exitCode: 1 } },
      { type: 'control', holder: { name: 'Ada' } },
      { type: 'control', holder: null },
      { type: 'ended', endedBy: { reason: 'deleted' }, exitCode: null, signal: 'SIGKILL' },
      { type: 'removed' },
    ]);
    for (const event of events) expect(managerEvent.parse(event)).toMatchObject({ terminalId: id });
    expect(new Set(events.map((event) => 'id' in event && event.id)).size).toBe(events.length);
  });

  it('tells only of the terminals asked for', async () => {
    const manager = startManager();
    const label = { side: 'left' };
    const [left, right] = [await run(manager, 'sleep', '1000'), await run(manager, 'sleep', '1000')];
    const asked = [{ ids: [left.id] }, { labels: label }, { status: 'exited' as const }];
    const watches = await Promise.all(asked.map((request) => manager.watch(request)));
    await manager.update(right.id, { labels: { side: 'right' } });
    await manager.update(left.id, { labels: label });
    await manager.update(left.id, { labels: { side: null } });
    await manager.remove(right.id);
    await manager.remove(left.id);
    const [byId, byLabel, byStatus] = watches as [Watch, Watch, Watch];
    expect(typesOf(await until(byId, 'removed'))).toEqual(['changed', 'changed', 'ended', 'removed']);
    expect((await eventsUntil<WatchedEvent>(byStatus, isRemoval(left.id))).map(({ event }) => event)).toMatchObject([
      { type: 'ended', terminalId: right.id },
      { type: 'removed', terminalId: right.id },
      { type: 'ended', terminalId: left.id },
      { type: 'removed', terminalId: left.id },
    ]);
    // The event that took the label away is told; what follows is not.
    const { id } = await manager.create({ command: 'sleep', args: ['1000'], labels: label });
    expect(await until(byLabel, 'created')).toMatchObject([
      { type: 'changed', terminal: { id: left.id, labels: label } },
      { type: 'changed', terminal: { id: left.id, labels: {} } },
      { type: 'created', terminalId: id },
    ]);
  });

  it('continues after a cursor: nothing is lost or repeated', async () => {
    const manager = startManager();
    const first = await manager.watch();
    const { id } = await run(manager, 'sleep', '1000');
    await take(manager, id, 5);
    const seen: WatchedEvent[] = [];
    for (let after = first.cursor; seen.at(-1)?.event.type !== 'removed'; after = seen.at(-1)!.cursor) {
      if (seen.length === 3) await manager.remove(id);
      seen.push(...(await eventsUntil<WatchedEvent>(await manager.watch({ after }), () => true)));
    }
    expect(seen.map(({ event }) => ('holder' in event ? event.holder?.name : event.type))).toEqual([
      'created',
      ...[0, 1, 2, 3, 4].map((number) => `holder ${number}`),
      'ended',
      'removed',
    ]);
  });

  it.each(['', 'nonsense', '0.0123456789ab.7~1.0123456789ab.7', '0123456789ab.7', '999999.0123456789ab.1'])(
    'after an unknown cursor begins with a reset, then tells what is kept: "%s"',
    async (after) => {
      const manager = startManager();
      const { id } = await run(manager, 'sleep', '1000');
      const watch = await manager.watch({ after, ids: [id] });
      await manager.remove(id);
      const events = await until(watch, 'removed');
      expect(events[0]).toEqual({ type: 'reset' });
      expect(typesOf(events).filter((type) => type !== 'reset')).toEqual(['created', 'ended', 'removed']);
    },
  );

  it('that falls behind is reset, and keeps nothing for watchers that do not read', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sleep', '1000');
    const watches = await Promise.all(Array.from({ length: 20 }, () => manager.watch()));
    const { cursor } = watches[0]!;
    await take(manager, id, TOO_MANY);
    for (const watch of watches) {
      const events = await until(watch, 'reset');
      expect(events.length).toBeLessThan(TOO_MANY - MAX_KEPT_EVENTS);
      const numbers = events.slice(0, -1).map((event) => 'holder' in event && event.holder?.name);
      expect(numbers).toEqual(numbers.map((_, number) => `holder ${number}`));
    }
    const late = (await manager.watch({ after: cursor }))[Symbol.asyncIterator]();
    expect((await late.next()).value).toMatchObject({ event: { type: 'reset' } });
    await manager.remove(id);
    expect((await late.next()).value).toMatchObject({ event: { type: 'ended', terminalId: id } });
    await late.return?.();
  });

  it('tells the last lines of the terminals asked for, at most twice a second', async () => {
    const manager = startManager();
    const script = 'for i in $(seq 50); do printf "\\033[31m$i\\033[m\\n"; sleep 0.03; done; read line';
    const { id } = await run(manager, 'bash', '-c', script);
    const [asking, other] = [await manager.watch({ lines: [id] }), await manager.watch()];
    const isLast = ({ event }: WatchedEvent) => event.type === 'lines' && event.totalLines >= 50;
    const events = (await eventsUntil(asking, isLast)).map(({ event }) => event);
    const lines = events.filter((event): event is LinesEvent => event.type === 'lines');
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.at(-1)).toMatchObject({ terminalId: id, totalLines: 50 });
    const expected = Array.from({ length: 9 }, (_, i) => expect.stringMatching(`^\\x1b\\[31m${i + 42}\\x1b\\[`));
    expect(lines.at(-1)!.lines).toEqual(expected);
    const times = lines.map(({ at }) => Date.parse(at));
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - times[index]!).toBeGreaterThanOrEqual(LINES_INTERVAL_MS - CLOCK_TOLERANCE_MS);
    }
    await manager.remove(id);
    expect(typesOf(await until(other, 'removed'))).toEqual(['ended', 'removed']);
  });

  it('tells the lines of an ended terminal once, and those of one that is created later', async () => {
    const manager = startManager();
    const ended = await run(manager, 'echo', 'done');
    await manager.wait(ended.id, {});
    const key = '5b2f8e4e-6c0e-4b52-9f9e-0d6c3a8f1b77';
    const watch = await manager.watch({ ids: [key], lines: [ended.id, key] });
    const events = watch[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ event: { type: 'lines', lines: ['done'], totalLines: 1 } });
    await manager.create({ command: 'sh', args: ['-c', 'echo begun; sleep 1000'] }, { key });
    expect((await events.next()).value).toMatchObject({ event: { type: 'created', terminalId: key } });
    for (let lines: readonly string[] = []; lines[0] !== 'begun';) {
      const { event } = (await events.next()).value as WatchedEvent;
      expect(event).toMatchObject({ type: 'lines', terminalId: key });
      ({ lines } = event as LinesEvent);
    }
    watch.close();
  });

  it('ends when it is closed, from inside and from outside, and with its manager', async () => {
    const manager = startManager();
    const [closed, left] = [await manager.watch(), await manager.watch()];
    const waiting = [closed, left].map((watch) => eventsUntil<WatchedEvent>(watch, () => false));
    closed.close();
    closed.close();
    expect(await waiting[0]).toEqual([]);
    await manager.close();
    expect(typesOf((await waiting[1]!).map(({ event }) => event))).toEqual([]);
  });

  it('refuses what it cannot understand', async () => {
    const manager = startManager();
    await expect(manager.watch({ ids: 'x' } as object)).rejects.toEqual(error('INVALID_INPUT', /ids/));
    await expect(manager.watch({ after: 'x'.repeat(5000) })).rejects.toEqual(error('INVALID_INPUT', /after/));
    await expect(manager.watch({ type: 'created' } as object)).rejects.toEqual(error('INVALID_INPUT', /type/));
  });
});

function isRemoval(id: string): (watched: WatchedEvent) => boolean {
  return ({ event }) => event.type === 'removed' && event.terminalId === id;
}
