/** Tests the queue of one hook: order, repeated attempts, limits, and continuing after a restart. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../test/eventually.js';
import { MAX_PENDING_BYTES, MAX_PENDING_EVENTS } from '../contract/hooks.js';
import type { HookEvent } from '../contract/hooks.js';
import { DeliveryQueue, ONE_ATTEMPT } from './delivery-queue.js';
import type { BackOff } from './delivery-queue.js';
import { Progress, stateOf } from './progress.js';
import { QueueSpace } from './queue-space.js';

const SOON: BackOff = { firstMs: 1, longestMs: 4, giveUpMs: 60_000 };

let folder: string;
let open: { readonly queue: DeliveryQueue; readonly progress: Progress }[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenacitty-queue-'));
  open = [];
});
afterEach(async () => {
  for (const { queue, progress } of open) {
    await queue.close();
    await progress.save();
  }
  rmSync(folder, { recursive: true });
});

const eventNamed = (id: string, bytes = 0): HookEvent => {
  const data = { tail: 'x'.repeat(bytes) };
  return { id, type: 'ended', timestamp: '2025-10-03T12:00:00.000Z', text: id, late: false, data };
};

/** Creates a queue whose receiver is a function that returns whether it accepts an event. */
function queueTo(
  accepts: (id: string) => boolean | Promise<boolean>,
  backOff = SOON,
  name = 'state',
  space?: QueueSpace,
) {
  const progress = new Progress(join(folder, name), (error) => {
    throw error;
  });
  const tried: string[] = [];
  const deliver = async ({ id }: HookEvent) => {
    tried.push(id);
    if (!(await accepts(id))) throw new Error(`no ${id}`);
  };
  const queue = new DeliveryQueue(progress, deliver, backOff, space);
  open.push({ queue, progress });
  return { queue, tried, progress, state: () => stateOf(progress.record) };
}

it('delivers the events of a terminal in order, each after the previous one', async () => {
  let left = 3;
  const { queue, tried, state } = queueTo((id) => id !== 'a1' || left-- === 0);
  for (const id of ['a1', 'a2', 'a3']) queue.add('a', eventNamed(id));
  await eventually(() => state().delivered === 3);
  expect(tried).toEqual(['a1', 'a1', 'a1', 'a1', 'a2', 'a3']);
  expect(state()).toMatchObject({ pending: 0, failed: 0, lastError: { message: 'no a1' } });
});

it('does not make a terminal wait for another', async () => {
  const { queue, state } = queueTo((id) => !id.startsWith('a'));
  for (const id of ['a1', 'b1', 'b2']) queue.add(id[0]!, eventNamed(id));
  await eventually(() => state().delivered === 2);
  expect(state()).toMatchObject({ pending: 1, failed: 0 });
});

it('adds an event only once, even after it was delivered', async () => {
  const { queue, tried, state } = queueTo(() => true);
  queue.add('a', eventNamed('a1'));
  await eventually(() => state().delivered === 1);
  for (const id of ['a1', 'a2', 'a2']) queue.add('a', eventNamed(id));
  await eventually(() => state().delivered === 2);
  expect(tried).toEqual(['a1', 'a2']);
});

it('gives an event up after the time limit, and goes on', async () => {
  const { queue, state } = queueTo((id) => id !== 'a1', { ...SOON, giveUpMs: 20 });
  for (const id of ['a1', 'a2']) queue.add('a', eventNamed(id));
  await eventually(() => state().delivered === 1);
  expect(state()).toMatchObject({ pending: 0, failed: 1, lastError: { message: 'no a1' } });
});

it('tries a command once', async () => {
  const { queue, tried, state } = queueTo(() => false, ONE_ATTEMPT);
  for (const id of ['a1', 'a2']) queue.add('a', eventNamed(id));
  await eventually(() => state().failed === 2);
  expect(tried).toEqual(['a1', 'a2']);
});

it('holds a limited number of events; beyond it, the oldest one that failed is dropped', async () => {
  const { queue, tried, state } = queueTo((id) => id.startsWith('z'), {
    firstMs: 60_000,
    longestMs: 60_000,
    giveUpMs: 600_000,
  });
  queue.add('a', eventNamed('a0'));
  queue.add('b', eventNamed('b0'));
  await eventually(() => state().lastError !== null);
  for (let at = 1; at < MAX_PENDING_EVENTS; at++) queue.add('a', eventNamed(`a${at}`));
  expect(state()).toMatchObject({ pending: MAX_PENDING_EVENTS, failed: 1 });
  expect(state().lastError?.message).toContain('dropped');
  queue.add('z', eventNamed('z0'));
  await eventually(() => state().delivered === 1);
  expect(state()).toMatchObject({ pending: MAX_PENDING_EVENTS - 1, failed: 2 });
  expect(tried).toEqual(['a0', 'b0', 'z0']);
});

const NEVER: BackOff = { firstMs: 60_000, longestMs: 60_000, giveUpMs: 600_000 };
const EVENT_BYTES = 15_000;

it('holds a limited size of events; beyond it, the oldest ones are dropped', () => {
  const { queue, progress, state } = queueTo(() => false, NEVER);
  for (let at = 0; at < 200; at++) queue.add('a', eventNamed(`a${at}`, EVENT_BYTES));
  const { pending, failed, lastError } = state();
  expect(pending).toBeGreaterThan(50);
  expect([pending + failed, lastError?.message]).toEqual([200, expect.stringMatching(/dropped .* bytes were waiting/)]);
  expect(Buffer.byteLength(JSON.stringify(progress.record))).toBeLessThan(1.1 * MAX_PENDING_BYTES);
  expect(progress.record.pending.at(-1)!.event.id).toBe('a199');
});

it('drops an event that is larger than all that may wait, and no other', () => {
  const { queue, state } = queueTo(() => false, NEVER);
  queue.add('a', eventNamed('a1'));
  queue.add('a', eventNamed('a2', 2 * MAX_PENDING_BYTES));
  expect(state()).toMatchObject({ pending: 1, failed: 1, lastError: { message: expect.stringContaining('dropped') } });
});

it('shares a limit with other queues, of which the largest gives way', () => {
  const space = new QueueSpace(20 * EVENT_BYTES);
  const [small, large] = ['small', 'large'].map((name) => queueTo(() => false, NEVER, name, space));
  small!.queue.add('a', eventNamed('a', EVENT_BYTES));
  for (let at = 0; at < 50; at++) large!.queue.add('b', eventNamed(`b${at}`, EVENT_BYTES));
  small!.queue.add('a', eventNamed('a2', EVENT_BYTES));
  expect(small!.state()).toMatchObject({ pending: 2, failed: 0, lastError: null });
  expect(large!.state().pending + large!.state().failed).toBe(50);
  expect(large!.state().pending).toBeGreaterThan(10);
  expect(small!.queue.bytes + large!.queue.bytes).toBeLessThanOrEqual(20 * EVENT_BYTES);
});

it('drops what an earlier version has left beyond the limit', async () => {
  const before = queueTo(() => false, NEVER);
  const { record } = before.progress;
  for (let at = 0; at < 200; at++)
    record.pending.push({ terminalId: 'a', since: Date.now(), attempts: 1, event: eventNamed(`a${at}`, EVENT_BYTES) });
  await before.progress.save();
  const after = queueTo(() => false, NEVER);
  after.queue.start();
  expect(after.queue.bytes).toBeLessThanOrEqual(MAX_PENDING_BYTES);
  expect(after.state().pending + after.state().failed).toBe(200);
});

it('continues after a restart with what was not delivered, with the same ids, in order', async () => {
  const before = queueTo((id) => id === 'a1');
  for (const id of ['a1', 'a2', 'a3']) before.queue.add('a', eventNamed(id));
  await eventually(() => before.tried.includes('a2'));
  await before.queue.close();
  await before.progress.save();
  const after = queueTo(() => true);
  after.queue.start();
  after.queue.add('a', eventNamed('a3'));
  await eventually(() => after.state().pending === 0);
  expect(after.tried).toEqual(['a2', 'a3']);
  expect(after.state()).toMatchObject({ delivered: 3, failed: 0 });
});
