/** Tests the order of work that takes turns, and what happens if some of it fails. */
import { nextTurn } from '../test/eventually.js';
import { shared, Turns } from './turns.js';

it('carries out work in order, one piece at a time, also after a failure', async () => {
  const turns = new Turns();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await nextTurn();
    events.push(`${name} ends`);
    if (name === 'b') throw new Error('failed');
    return name;
  };
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.take(work(name))));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('shares a read among those who asked before it started, and reads again for later callers', async () => {
  let reads = 0;
  const read = shared(async () => {
    const own = ++reads;
    await nextTurn();
    if (own === 2) throw new Error('failed');
    return own;
  });
  const first = read();
  await Promise.resolve();
  await Promise.resolve();
  const [second, third] = [read(), read()];
  await expect(first).resolves.toBe(1);
  await expect(second).rejects.toThrow('failed');
  await expect(third).rejects.toThrow('failed');
  await expect(read()).resolves.toBe(3);
});
