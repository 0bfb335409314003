/** How the page writes durations, clocks, counts and codes. */
import { age, bytes, clock, count, counted, duration } from '../../web/src/ui/durations.js';
import { asCode, isWhole } from '../../web/src/sign-in/code.js';
import { answerCodeIn, codeIn, homeWith, linesIn, pathOf, routeOf } from '../../web/src/routing/route.js';
import { browserName } from '../../web/src/sign-in/browser-name.js';

const at = (path: string) => routeOf(new URL(path, 'http://localhost'));

describe('durations', () => {
  test.each([
    [20, '0.02 s'],
    [12_449, '12.4 s'],
    [59_999, '59.9 s'],
    [252_000, '4 min 12 s'],
    [8_047_000, '2 h 14 min'],
  ])('%d ms are %s', (ms, text) => expect(duration(ms)).toBe(text));

  test('clocks count', () => {
    expect([6000, 252_000, 8_047_000, -5].map(clock)).toEqual(['0:06', '4:12', '2:14:07', '0:00']);
  });

  test('ages', () => {
    expect([1000, 240_000, 7_200_000, 86_400_000, 200_000_000].map(age)).toEqual([
      ...['now', '4 min', '2 h', '1 day', '2 days'],
    ]);
  });
});

test('numbers have commas, and words their plural', () => {
  expect(count(1_204_265)).toBe('1,204,265');
  expect([1, 1200].map((each) => counted(each, 'line'))).toEqual(['1 line', '1,200 lines']);
  expect([0, 412, 31_000, 6_200_000].map(bytes)).toEqual(['0 B', '412 B', '31 kB', '6.2 MB']);
});

test('codes get their dash', () => {
  expect(['k7qm', 'k7qm2', 'K7QM-2ABC', ' k7qm2abcX'].map(asCode)).toEqual([
    'K7QM',
    'K7QM-2',
    'K7QM-2ABC',
    'K7QM-2ABC',
  ]);
  expect(['K7QM-2ABC', 'K7QM-2'].map(isWhole)).toEqual([true, false]);
});

describe('addresses', () => {
  test('name a view', () => {
    expect(at('/?state=waiting')).toEqual({ view: 'home', terminal: '', query: { state: 'waiting' }, hash: '' });
    expect(at('/terminals/a%20b')).toMatchObject({ view: 'terminal', terminal: 'a b' });
    expect(at('/terminals/a/history#L3')).toMatchObject({ view: 'history', terminal: 'a', hash: 'L3' });
    expect(at('/terminals/%E0%A4%A').view).toBe('home');
  });

  test('are made of a view', () => {
    expect([pathOf('a b'), pathOf('a', 'history')]).toEqual(['/terminals/a%20b', '/terminals/a/history']);
    expect(homeWith({ state: '', label: 'project=shop' })).toBe('/?label=project%3Dshop');
  });

  test('name lines and codes', () => {
    expect(['L5', 'L140-L120', 'L1-2', 'x'].map(linesIn)).toEqual([
      ...[{ from: 5, to: 5 }, { from: 120, to: 140 }, { from: 1, to: 2 }, null],
    ]);
    expect(['code=K7QM-2ABC', 'code=', 'L1'].map(codeIn)).toEqual(['K7QM-2ABC', null, null]);
    const long = 'a-_9'.repeat(11).slice(1);
    expect([`code=${long}`, 'code=K7QM-2ABC', ''].map(answerCodeIn)).toEqual([long, null, null]);
  });
});

describe('browsers', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on iPhone'],
    ['curl/8.14.1', 'curl/8.14.1'],
    ['', 'unknown'],
  ])('%s is %s', (userAgent, name) => expect(browserName(userAgent)).toBe(name));
});
