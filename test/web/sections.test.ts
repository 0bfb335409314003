/** How the page divides a history: sections, folds, parts and windows. */
import fc from 'fast-check';
import type { CommandRecord } from '../../src/contract/command.js';
import { EDGES, hashOf, isFolded, sectionsOf, shownParts, sizeOf, windowsOf } from '../../web/src/history/sections.js';

const command = (fromLine: number, toLine: number | null, exitCode = 0) =>
  ({ fromLine, toLine, exitCode, within: null, state: toLine === null ? 'running' : 'completed' }) as CommandRecord;
const range = (from: number, to: number) => ({ from, to });

test('sections cover all lines once', () => {
  const sections = sectionsOf([command(0, 4), command(8, 9), command(12, null)], range(2, 20));
  expect(sections.map(({ from, to }) => [from, to])).toEqual([
    [2, 4],
    [5, 7],
    [8, 9],
    [10, 11],
    [12, 20],
  ]);
  expect(sections.map(({ command: each }) => each === null)).toEqual([false, true, false, true, false]);
});

test('what went well is folded, unless a link leads there', () => {
  const [good, bad, running] = [command(0, 4), command(5, 6, 1), command(7, null)].map((each) => ({
    ...{ command: each, from: each.fromLine, to: each.toLine ?? 9 },
  }));
  expect([good, bad, running].map((each) => isFolded(each!, null))).toEqual([true, false, false]);
  expect(isFolded(good!, range(3, 30))).toBe(false);
});

test('long sections show their edges, and the lines of a link', () => {
  expect(shownParts(range(0, 1999), EDGES, null)).toEqual([range(0, 1999)]);
  expect(shownParts(range(0, 9999), EDGES, null)).toEqual([range(0, 39), range(9960, 9999)]);
  expect(shownParts(range(0, 9999), EDGES, range(60, 60))).toEqual([range(0, 100), range(9960, 9999)]);
  expect(shownParts(range(5, 4), EDGES, null)).toEqual([]);
});

test('windows cover a range once, with at most 400 lines each', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(3000), (from, length) => {
      const windows = windowsOf(range(from, from + length));
      expect(windows.reduce((sum, each) => sum + sizeOf(each), 0)).toBe(length + 1);
      expect(windows.every((each) => sizeOf(each) <= 400)).toBe(true);
    }),
  );
});

test('links name lines', () => {
  expect([hashOf(range(1, 1)), hashOf(range(120, 140))]).toEqual(['#L1', '#L120-L140']);
});
