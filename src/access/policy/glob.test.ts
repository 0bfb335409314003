/** Tests that patterns match what the equivalent regular expressions match. */
import fc from 'fast-check';
import { matchesGlob, matchesPath } from './glob.js';

/** Returns the equivalent regular expression, whose matching time could be exponential for a hostile pattern. */
function asExpression(pattern: string): RegExp {
  const parts = pattern.match(/\\.|./gsu) ?? [];
  const source = parts.map((part) =>
    part === '*' ? '.*' : part === '?' ? '.' : part.slice(-1).replace(/[^a-z]/, '\\$&'),
  );
  return new RegExp(`^${source.join('')}$`, 's');
}

const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 12 }).map((parts) => parts.join(''));
const pattern = fc
  .array(fc.constantFrom('a', 'b', '*', '?', '\\*', '/'), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('a pattern', () => {
  it('matches the same texts as the equivalent regular expression', () => {
    fc.assert(
      fc.property(pattern, text, (one, other) => {
        expect(matchesGlob(one, other)).toBe(asExpression(one).test(other));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not match a slash in a path', () => {
    expect(matchesPath('/usr/*/git', '/usr/bin/git')).toBe(true);
    expect(matchesPath('/usr/*/git', '/usr/local/bin/git')).toBe(false);
    expect(matchesPath('/usr/*', '/usr/bin/git')).toBe(false);
  });
});
