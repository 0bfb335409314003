/** Properties of the selected output: within the budget, in order, whole lines, every gap reported. */
import fc from 'fast-check';
import { estimateTokens } from '../history/tokens.js';
import { fitToBudget } from './output-budget.js';
import type { Excerpt, KeptPart } from './output-budget.js';

const SHAPES: readonly KeptPart[] = ['start', 'end', 'both'];
const GAP = /^\[… (?:1 line \((\d+)\)|([\d,]+) lines \((\d+)–(\d+)\)) left out; from (\d+) …\]$/;
/** Large enough that only tokens matter. */
const maxChars = Number.MAX_SAFE_INTEGER;
const howToRead = (line: number) => `from ${line}`;

/** Lines that contain their number, with parts missing. */
const excerpts = fc
  .record({
    first: fc.nat({ max: 5000 }),
    sizes: fc.array(fc.record({ skip: fc.nat({ max: 30 }), take: fc.nat({ max: 30 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    rest: fc.nat({ max: 50 }),
    width: fc.nat({ max: 40 }),
  })
  .map(({ first, sizes, rest, width }): Excerpt => {
    let at = first;
    const pieces = sizes.map(({ skip, take }) => {
      const from = at + skip;
      at = from + take;
      return { from, lines: Array.from({ length: take }, (_, i) => `line ${from + i} ${'x '.repeat(width)}`) };
    });
    return { pieces, from: first, to: at + rest };
  });

it('shows lines unchanged and in order, and reports exactly those that it leaves out', () => {
  fc.assert(
    fc.property(
      excerpts,
      fc.constantFrom(...SHAPES),
      fc.integer({ min: 500, max: 3000 }),
      (excerpt, shape, maxTokens) => {
        const shown = fitToBudget(excerpt, { maxTokens, maxChars, shape }, howToRead);
        let next = excerpt.from;
        let leftOut = 0;
        for (const line of shown.text === '' ? [] : shown.text.split('\n')) {
          const gap = GAP.exec(line);
          if (gap === null) {
            expect(line).toMatch(new RegExp(`^line ${next} `));
            next++;
            continue;
          }
          const [from, to] = gap[1] === undefined ? [Number(gap[3]), Number(gap[4])] : [Number(gap[1]), Number(gap[1])];
          expect([from, Number(gap[5])]).toEqual([next, next]);
          leftOut += to - from + 1;
          next = to + 1;
        }
        expect([next, leftOut]).toEqual([excerpt.to, shown.leftOutLines]);
      },
    ),
  );
});

it('costs no more tokens than requested, apart from the notes about the rest', () => {
  fc.assert(
    fc.property(
      excerpts,
      fc.constantFrom(...SHAPES),
      fc.integer({ min: 50, max: 2000 }),
      (excerpt, shape, maxTokens) => {
        const { text } = fitToBudget(excerpt, { maxTokens, maxChars, shape }, howToRead);
        const lines = text.split('\n').filter((line) => !GAP.test(line));
        // One line at each end is shown, whatever it costs.
        expect(estimateTokens(lines.join('\n'))).toBeLessThanOrEqual(maxTokens * 1.7 + 20);
      },
    ),
  );
});

it('has no more characters than allowed, apart from the notes about the rest', () => {
  fc.assert(
    fc.property(excerpts, fc.constantFrom(...SHAPES), fc.integer({ min: 500, max: 3000 }), (excerpt, shape, chars) => {
      const { text } = fitToBudget(excerpt, { maxTokens: 100_000, maxChars: chars, shape }, howToRead);
      const lines = text.split('\n').filter((line) => !GAP.test(line));
      expect(lines.join('\n').length).toBeLessThanOrEqual(chars);
    }),
  );
});

it('uses the whole budget for a single requested line', () => {
  const long = 'y'.repeat(100_000);
  const excerpt = { pieces: [{ from: 7, lines: [long] }], from: 7, to: 8 };
  const { text } = fitToBudget(excerpt, { maxTokens: 100_000, maxChars: 20_000, shape: 'start' }, howToRead);
  expect(text.length).toBeGreaterThan(19_000);
  expect(text.length).toBeLessThan(20_100);
});

it('keeps both ends, the start, or the end', () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}`);
  const excerpt = { pieces: [{ from: 0, lines }], from: 0, to: 1000 };
  const text = (shape: KeptPart) => fitToBudget(excerpt, { maxTokens: 100, maxChars, shape }, howToRead).text;
  expect(text('both')).toMatch(/^line 0\n[^]*\n\[… .* …\]\n[^]*\nline 999$/);
  expect(text('start')).toMatch(/^line 0\n[^]*\n\[… .* …\]$/);
  expect(text('end')).toMatch(/^\[… .* …\]\n[^]*\nline 999$/);
});

it('shortens a line that is too long by itself, and reports by how much', () => {
  const long = `begin ${'y'.repeat(100_000)} end`;
  const excerpt = { pieces: [{ from: 0, lines: ['a', long, 'b'] }], from: 0, to: 3 };
  const { text, hasCutLine } = fitToBudget(excerpt, { maxTokens: 300, maxChars, shape: 'both' }, howToRead);
  const [a, cut, b] = text.split('\n');
  expect([a, b, hasCutLine]).toEqual(['a', 'b', true]);
  const left = /^(begin y+) \[… ([\d,]+) characters of this line left out …\] (y+ end)$/.exec(cut!)!;
  expect(left[1]!.length + Number(left[2]!.replaceAll(',', '')) + left[3]!.length).toBe(long.length);
});

it('does not cut a character in half', () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 300 }), fc.nat({ max: 3 }), (maxTokens, shift) => {
      const line = 'x'.repeat(shift) + '😀'.repeat(2000);
      const { text } = fitToBudget(
        { pieces: [{ from: 0, lines: [line] }], from: 0, to: 1 },
        { maxTokens, maxChars, shape: 'both' },
        howToRead,
      );
      expect(Buffer.from(text).toString()).toBe(text);
    }),
  );
});
