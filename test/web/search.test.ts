/** How the page marks matches, finds terminals, and says what it has searched. */
import type { OverviewTerminal } from '../../src/contract/overview.js';
import { matchingTerminals } from '../../web/src/home/matching-terminals.js';
import { searchWords } from '../../web/src/home/search-words.js';
import { expressionOf, isCostly, markedRuns } from '../../web/src/ui/matching.js';

const pattern = (text: string, isRegex = false, ignoresCase = true) => ({ text, isRegex, ignoresCase });
const marked = (line: string, wanted: ReturnType<typeof pattern>) =>
  markedRuns(line, expressionOf(wanted)!).map(({ text, classes, isMatch }) => [text, classes, isMatch]);

test('matches are marked across colours', () => {
  expect(marked('a\x1b[31mbc\x1b[0mdB', pattern('b'))).toEqual([
    ['a', '', false],
    ['b', 'r', true],
    ['c', 'r', false],
    ['d', '', false],
    ['B', '', true],
  ]);
  expect(marked('x\x1b[31mab\x1b[0mcd', pattern('bc')).map(([text, , isMatch]) => [text, isMatch])).toEqual([
    ...[
      ['x', false],
      ['a', false],
      ['b', true],
      ['c', true],
      ['d', false],
    ],
  ]);
  expect(marked('(a) A', pattern('(A)', false, false))).toEqual([['(a) A', '', false]]);
  expect(marked('ab12', pattern('\\d+', true)).at(-1)).toEqual(['12', '', true]);
});

test('expressions that could take very long, or that only the server knows, mark whole lines', () => {
  expect(['(a+)+b', '.*.*.*x', 'a{2,}', 'error|warn', '\\d+'].map(isCostly)).toEqual([true, true, false, false, false]);
  expect([expressionOf(pattern('(a+)+b', true)), expressionOf(pattern('(?i)a', true))]).toEqual([null, null]);
});

test('terminals are found by what they are', () => {
  const rest = { name: null, title: '', shell: '/bin/bash', cwd: '/src/shop', lastCommand: null, created: '' };
  const terminals = [
    { id: 'a', labels: { project: 'shop' }, ...rest },
    { id: 'b', labels: {}, ...rest, cwd: '/tmp' },
  ] as unknown as OverviewTerminal[];
  const ids = (text: string) => matchingTerminals(terminals, pattern(text)).map(({ id }) => id);
  expect([ids('PROJECT=shop'), ids('bash'), ids('nothing')]).toEqual([['a'], ['a', 'b'], []]);
  expect(matchingTerminals(terminals, null)).toEqual([]);
});

describe('a search says', () => {
  const counts = {
    ...{ state: 'done' as const, text: 'voucher', lines: 214, inTerminals: 3, complete: 12, terminals: 12 },
    ...{ searchedLines: 1_311_806, ms: 912 },
  };

  test.each([
    [
      counts,
      '214 lines in 3 of 12 terminals. All histories were searched, those on disk too: 1,311,806 lines in 0.9 s.',
    ],
    [
      { ...counts, state: 'searching' as const, complete: 4 },
      '214 lines in 3 of 12 terminals. 4 of 12 searched so far …',
    ],
    [
      { ...counts, state: 'stopped' as const, complete: 4, ms: 10_020 },
      '214 lines in 3 of 12 terminals. The search stopped after 10.0 s; 4 of 12 terminals were searched to the end.',
    ],
    [{ ...counts, lines: 0, inTerminals: 0 }, 'No line says “voucher”. 1,311,806 lines were searched.'],
  ])('%#', (given, words) => expect(searchWords(given)).toBe(words));
});
