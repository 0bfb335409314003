/**
 * Tests that a long history on disk is searched in slices, completely and correctly, while everything else continues.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchResult } from '../../src/contract/search.js';
import { error } from '../conformance/error.js';
import { eventsUntil, run, startEngine, stopEngines } from './engine-under-test.js';
import { eventually, nextTurn } from '../eventually.js';
import { runs } from '../deep.js';

const LINES = runs({ normal: 200_000, deep: 1_000_000 });
/** The two lines that match. */
const FOUND = [LINES / 2, LINES];

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'tenacitty-'))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

it(`searches ${LINES} lines left by an earlier process, and yields to all other work`, async () => {
  const before = startEngine({ historyDir: directory });
  const { id } = await run(before, 'seq', '-f', 'line number %.0f', '1', String(LINES));
  await eventsUntil(await before.subscribe(id), (event) => event.type === 'end');
  await eventually(async () => (await before.stats(id)).history.savedLines >= LINES);
  await before.shutdown();

  const manager = startEngine({ historyDir: directory });
  await manager.recover();
  const other = await run(manager, 'cat');
  let searching: SearchResult | null = null;
  let reads = 0;
  const reading = (async () => {
    for (; searching === null; reads++) {
      await manager.read(other.id);
      await nextTurn();
    }
  })();
  const found: string[] = [];
  let next = 0;
  for (let hasMore = true; hasMore;) {
    const result = await manager.search(id, { regex: `number (${FOUND.join('|')})$`, fromLine: next });
    found.push(...result.matches.map(({ line, text }) => `${line}: ${text}`));
    ({ hasMore, nextFromLine: next } = result);
    if (!hasMore) searching = result;
  }
  await reading;
  expect(found).toEqual(FOUND.map((number) => `${number - 1}: line number ${number}`));
  expect(searching).toMatchObject({ toLine: LINES - 1, droppedLines: 0 });
  // Slices of milliseconds: some hundred for a million lines.
  expect(reads).toBeGreaterThan(4);
}, 300_000);

it('counts as a waiting request, whose number is limited', async () => {
  const manager = startEngine({ maxWaitingReads: 1 });
  const { id } = await run(manager, 'seq', '1', '9000');
  await eventsUntil(await manager.subscribe(id), (event) => event.type === 'end');
  const search = () => manager.search(id, { regex: '(x|y)+z', ignoreCase: true });
  const results = await Promise.allSettled(Array.from({ length: 5 }, search));
  expect(results.map(({ status }) => status)).toEqual([...Array<string>(4).fill('fulfilled'), 'rejected']);
  await expect((async () => (results[4] as PromiseRejectedResult).reason)()).resolves.toEqual(error('LIMIT_REACHED'));
  expect(await manager.summary()).toMatchObject({ waitingReads: 0 });
});

it('continues while history is cleared, dropped and removed', async () => {
  const manager = startEngine({ historyDir: directory });
  const { id } = await run(manager, 'seq', '1', '300000');
  await eventsUntil(await manager.subscribe(id), (event) => event.type === 'end');
  // Takes a while for each line, so that it cannot be over after one turn.
  const searching = manager.search(id, { regex: '(1|2|3|4)+x', fromLine: 0 });
  await nextTurn();
  await manager.clear(id);
  const { toLine, droppedLines, hasMore } = await searching;
  expect({ toLine, hasMore }).toEqual({ toLine: 299_999, hasMore: false });
  expect(droppedLines).toBeGreaterThan(0);
});
