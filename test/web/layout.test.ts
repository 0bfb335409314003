/** How the page lays out a history: what is rendered, where lines are, and what the ruler shows. */
import fc from 'fast-check';
import type { CommandRecord } from '../../src/contract/command.js';
import { droppedWords } from '../../web/src/history/dropped.js';
import { anchorAt, drawnOf, itemAt, itemsOf, layoutOf, measureKey } from '../../web/src/history/layout.js';
import { topOf, topOfLine, wholeHeight, type Layout, type Measured } from '../../web/src/history/layout.js';
import { failureMarks, joinedMarks, lineMarks, rangeMark } from '../../web/src/history/marks.js';
import { EDGES, isFolded, keyOf, sectionsOf, shownParts } from '../../web/src/history/sections.js';

const MEASURES = { head: 32, line: 19 };
const NO_HEIGHTS = new Map<number, Measured>();

/** The layout of a history of which each command printed so many lines; every third one failed. */
function layoutWith(sizes: readonly number[], { heights = NO_HEIGHTS, first = 0, hasNotice = false } = {}): Layout {
  let line = first;
  const commands = sizes.map((size, index) => {
    const [fromLine, toLine] = [line, line + size - 1];
    line += size;
    const state = { commandId: index + 1, within: null, state: 'completed', exitCode: index % 3 === 2 ? 1 : 0 };
    return { ...state, fromLine, toLine } as CommandRecord;
  });
  const sections = sectionsOf(commands, { from: first, to: line - 1 });
  const parts = (section: (typeof sections)[number]) =>
    isFolded(section, null) ? [] : shownParts(section, EDGES, null);
  return layoutOf(sections, itemsOf(sections, parts, hasNotice), heights, MEASURES);
}

const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 12 });

test('what is rendered and what is left out have the height of the whole, and items their place', () => {
  fc.assert(
    fc.property(
      sizes,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(9000),
      fc.boolean(),
      (some, share, above, hasNotice) => {
        const layout = layoutWith(some, { hasNotice });
        const top = share * wholeHeight(layout);
        const begin = Math.max(0, top - above);
        const [first, last] = [itemAt(layout, top - 100), itemAt(layout, top + 900)];
        const limit = 20_000;
        fc.pre(
          layout.tops[last + 1]! <= begin + limit && (begin === 0 || layout.tops[first]! >= begin + MEASURES.head),
        );
        const { before, groups, after } = drawnOf(layout, first, last, begin, limit);
        let at = begin + before;
        for (const group of groups) {
          at += (group.section < 0 ? 0 : MEASURES.head) + group.before;
          for (const item of group.items) {
            const index = layout.items.findIndex(({ kind, from, section }) => kind === item.kind && from === item.from && section === item.section); // prettier-ignore
            expect(at).toBeCloseTo(layout.tops[index]!);
            at += item.height;
          }
          at += group.after;
        }
        expect(at + after).toBeCloseTo(Math.min(wholeHeight(layout), begin + limit));
      },
    ),
  );
});

test('a place survives that what is before it grows', () => {
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), (some, share) => {
      const before = layoutWith(some);
      const top = share * wholeHeight(before);
      const anchor = anchorAt(before, top)!;
      expect(topOf(before, anchor)).toBeCloseTo(top);
      const item = before.items.find(({ kind }) => kind === 'lines');
      if (item === undefined || itemAt(before, top) <= before.items.indexOf(item)) return;
      const after = layoutWith(some, { heights: new Map([[measureKey(item), { to: item.to, height: 5000 }]]) });
      const grown = wholeHeight(after) - wholeHeight(before);
      expect(topOf(after, anchor)).toBeCloseTo(top + grown);
    }),
  );
});

test('lines are found where they are, or at what hides them', () => {
  const layout = layoutWith([10, 20, 5000]);
  expect(layout.items.map(({ kind }) => kind)).toEqual([
    'head',
    'head',
    'head',
    'lines',
    'lines',
    'gap',
    'lines',
    'lines',
  ]);
  expect([3, 12, 30, 31].map((line) => topOfLine(layout, line))).toEqual([0, 32, 96, 96 + 19]);
  expect(topOfLine(layout, 5029)).toBe(wholeHeight(layout) - 19);
});

test('ten thousand commands without output are heads that keep their place', () => {
  const commands = Array.from({ length: 10_000 }, (_, index) => {
    const record = { commandId: index + 1, within: null, state: 'completed', exitCode: 0, fromLine: 0, toLine: 0 };
    return record as CommandRecord;
  });
  const sections = sectionsOf(commands, { from: 0, to: 0 });
  const layout = layoutOf(
    sections,
    itemsOf(sections, () => [], false),
    NO_HEIGHTS,
    MEASURES,
  );
  expect([sections.length, wholeHeight(layout)]).toEqual([10_000, 320_000]);
  const anchor = anchorAt(layout, 32 * 5000 + 7)!;
  expect([anchor.section, topOf(layout, anchor)]).toEqual([keyOf(sections[5000]!), 32 * 5000 + 7]);
});

test('the ruler shows failures, matches and the selection, and joins what is close', () => {
  const layout = layoutWith([10, 10, 10, 10]);
  const whole = 4 * 32 + 10 * 19;
  expect(failureMarks(layout)).toEqual([{ from: 64 / whole, size: (32 + 190) / whole }]);
  expect(lineMarks(layout, [1, 2, 22]).map(({ from }) => from)).toEqual([0, (96 + 2 * 19) / whole]);
  expect(rangeMark(layout, { from: 20, to: 24 }).size).toBeCloseTo((5 * 19) / whole);
  const many = Array.from({ length: 100_000 }, (_, index) => ({ from: index / 100_000, size: 0 }));
  expect(joinedMarks(many)).toHaveLength(1);
});

test('dropped lines are named, with the limit', () => {
  const limits = {
    memoryLines: 10_000,
    memoryBytes: 10_000_000,
    diskBytes: 256_000_000,
    diskBytesTotal: 0,
    diskAgeMs: 0,
  };
  const rest = { state: 'ok' as const, reason: null, memoryBytes: 0, diskBytes: 0, savedLines: 0, limits };
  expect(droppedWords({ oldestLine: 4212, history: { ...rest, place: 'disk', droppedLines: 4212 } })).toBe(
    'Lines 0 to 4,211 are no longer held. The limit on disk is 256 MB.',
  );
  expect(droppedWords({ oldestLine: 0, history: { ...rest, place: 'memory', droppedLines: 3 } })).toBe(
    '3 lines could not be read from the disk. The limit in memory is 10,000 lines or 10 MB.',
  );
});
