/** How the page divides a history: sections, folds, parts and windows. */
import fc from 'fast-check';
import type { CommandRecord } from '../../src/contract/command.js';
import { EDGES, hashOf, isFolded, linesAsCurl, pinOf, sectionsOf } from '../../web/src/history/sections.js';
import { shownParts, sizeOf } from '../../web/src/history/sections.js';

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

test('commands that share their only line all have a section, and lines one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 20 }), (lengths) => {
      let line = 0;
      const commands = lengths.map((length) => command(line, (line += length)));
      const sections = sectionsOf(commands, range(0, line));
      expect(sections.filter((each) => each.command !== null)).toHaveLength(commands.length);
      expect(sections.reduce((sum, each) => sum + sizeOf(each), 0)).toBe(line + 1);
    }),
  );
});

test('the end of a section that grows stays shown, unless its reader follows it', () => {
  expect([pinOf(range(0, 1999), undefined, true), pinOf(range(0, 9999), undefined, true)]).toEqual([0, 9960]);
  expect(pinOf(range(0, 90_000), 0, false)).toBe(0);
  expect([pinOf(range(0, 5000), 2000, true), pinOf(range(0, 90_000), 2000, true)]).toEqual([2000, 89_001]);
});

test('links name lines', () => {
  expect(linesAsCurl('http://h', "a'b", range(120, 140))).toBe(
    `curl 'http://h/api/terminals/a%27b/output?since=120&maxLines=21'`,
  );
  expect([hashOf(range(1, 1)), hashOf(range(120, 140))]).toEqual(['#L1', '#L120-L140']);
});
