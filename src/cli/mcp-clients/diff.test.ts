import fc from 'fast-check';
import { unifiedDiff } from './diff.js';

it('shows added and removed lines, with three lines of context', () => {
  expect(unifiedDiff('/x', 'a\nb\nc\nd\ne\nf\ng\nh\n', 'a\nb\nc\nd\nE\nF\nf\ng\nh\n')).toBe(
    '--- /x\n+++ /x\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+F\n f\n g\n h\n',
  );
});

it('supports missing files, and last lines without a line ending', () => {
  expect(unifiedDiff('/x', null, 'a\n')).toBe('--- /dev/null\n+++ /x\n@@ -0,0 +1,1 @@\n+a\n');
  expect(unifiedDiff('/x', 'a\n', null)).toBe('--- /x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n');
  expect(unifiedDiff('/x', 'a', 'a\n')).toBe('--- /x\n+++ /x\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n');
  expect(unifiedDiff('/x', 'a', 'a')).toBe('');
});

it('converts one text into the other', () => {
  const texts = fc
    .array(fc.constantFrom('a\n', 'b\n', '\n', 'c\r\n'), { maxLength: 12 })
    .map((lines) => lines.join(''));
  fc.assert(
    fc.property(texts, texts, fc.boolean(), (before, after, isEnded) => {
      const [old, fresh] = isEnded ? [before, after] : [`${before}x`, `${after}y`];
      if (old !== fresh) expect(patched(old, unifiedDiff('/x', old, fresh))).toBe(fresh);
    }),
    { numRuns: 500 },
  );
});

/** Applies a diff as strictly as patch(1). */
function patched(text: string, diff: string): string {
  const [, start, length, body] = /^--- .*\n\+\+\+ .*\n@@ -(\d+),(\d+) \+\d+,\d+ @@\n([^]*)$/.exec(diff)!;
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const marked = body!.replaceAll(/\n\\ No newline at end of file\n/g, '\r\0').match(/[^\n\0]*[\n\0]/g) ?? [];
  const shown = (marks: string) =>
    marked.filter(([mark]) => marks.includes(mark!)).map((line) => line.slice(1).replace('\r\0', ''));
  const from = Number(length) === 0 ? Number(start) : Number(start) - 1;
  expect(lines.slice(from, from + Number(length))).toEqual(shown(' -'));
  return [...lines.slice(0, from), ...shown(' +'), ...lines.slice(from + Number(length))].join('');
}
