import { OffsetMarks } from './marks.js';

/** Returns what a reader is told, starting at the mark after `seen`. */
function toldAfter(marks: OffsetMarks<string>, seen: number): string[] {
  const next = marks.after(seen);
  return next === null ? [] : [next.what, ...toldAfter(marks, next.number)];
}

it('returns each later mark, and all or the last of those before the start', () => {
  const marks = new OffsetMarks<string>();
  for (const [offset, what] of [
    [5, 'a'],
    [7, 'b'],
    [7, 'c'],
    [9, 'd'],
  ] as const)
    marks.add(offset, what);
  const told = (offset: number | undefined) => toldAfter(marks, marks.before(offset)).join('');
  const toldLast = (offset: number | undefined) => toldAfter(marks, marks.beforeLast(offset)).join('');
  expect([0, 6, 7, 9, 10, undefined].map(told)).toEqual(['abcd', 'bcd', 'bcd', 'd', '', '']);
  expect([0, 6, 7, 9, 10, undefined].map(toldLast)).toEqual(['abcd', 'bcd', 'cd', 'd', '', '']);
});

it('keeps the newest two hundred', () => {
  const marks = new OffsetMarks<string>();
  for (let n = 1; n <= 250; n++) marks.add(n, String(n));
  expect(toldAfter(marks, marks.before(0))).toHaveLength(200);
  expect(toldAfter(marks, marks.before(249))).toEqual(['249', '250']);
});
