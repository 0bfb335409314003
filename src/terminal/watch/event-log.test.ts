/** Tests the log of events: what it keeps, what its cursors mean, and what a hand-off makes of it. */
import { MAX_KEPT_EVENTS } from '../../contract/watch.js';
import { EventLog, START_OF_LOG, UNKNOWN_POSITION } from './event-log.js';

const SUBJECT = { status: 'active', labels: [{}] } as const;

function add(log: EventLog, ...names: readonly string[]): void {
  for (const terminalId of names) log.add({ type: 'removed', terminalId }, SUBJECT);
}

function namesIn(log: EventLog): string[] {
  const positions = Array.from({ length: log.end - log.start }, (_, index) => log.start + index + 1);
  return positions.map((position) => log.eventAt(position).event.terminalId);
}

it('keeps the newest events', () => {
  const log = new EventLog();
  const names = Array.from({ length: MAX_KEPT_EVENTS + 3 }, (_, number) => `t${number}`);
  add(log, ...names);
  expect(namesIn(log)).toEqual(names.slice(3));
});

it('knows its own cursors, and no others', () => {
  const [log, other] = [new EventLog(), new EventLog()];
  for (const one of [log, other]) add(one, 'a', 'b');
  expect([0, 1, 2].map((position) => log.positionOf(log.cursorAt(position)))).toEqual([0, 1, 2]);
  expect(log.positionOf(START_OF_LOG)).toBe(0);
  const unknown = [
    other.cursorAt(1),
    log.cursorAt(3),
    log.cursorAt(UNKNOWN_POSITION),
    '',
    'x.1',
    `${log.cursorAt(1)}.5`,
  ];
  for (const cursor of unknown) expect(log.positionOf(cursor)).toBe(UNKNOWN_POSITION);
});

it('continues in another process, after what happened before', () => {
  const [log, next] = [new EventLog(), new EventLog()];
  add(log, 'a', 'b');
  const cursor = log.cursorAt(2);
  log.holdBack();
  // The next process reports this.
  add(log, 'c');
  add(next, 'd');
  next.resume(JSON.parse(JSON.stringify(log.state)) as EventLog['state']);
  add(next, 'c');
  expect(namesIn(next)).toEqual(['a', 'b', 'd', 'c']);
  expect(next.eventAt(2).event).toEqual(log.eventAt(2).event);
  expect(next.positionOf(cursor)).toBe(2);
  expect(new Set([1, 2, 3, 4].map((position) => next.eventAt(position).event.id)).size).toBe(4);
});

it('adds what it has held back if the hand-off fails', () => {
  const log = new EventLog();
  let calls = 0;
  const stop = log.listen(() => calls++);
  log.holdBack();
  add(log, 'a', 'b');
  expect([namesIn(log), calls]).toEqual([[], 0]);
  log.release();
  add(log, 'c');
  stop();
  add(log, 'd');
  expect([namesIn(log), calls]).toEqual([['a', 'b', 'c', 'd'], 3]);
});
