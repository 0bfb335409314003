/** The keys of the page. */
import { actOf } from '../../web/src/palette/key-map.js';
import { indexFrom } from '../../web/src/ui/arrow-keys.js';

const key = (name: string, change = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...change });

test('keys act alone, in pairs, and with Ctrl', () => {
  expect(actOf(key('t'), '', true)).toBe('take');
  expect(actOf(key('g'), '', true)).toBe('g');
  expect([actOf(key('a'), 'g', true), actOf(key('a'), '', true)]).toEqual(['home', 'needs']);
  expect(actOf(key('k', { ctrlKey: true }), '', false)).toBe('palette');
});

test('single keys can be switched off, and others are left alone', () => {
  expect(actOf(key('t'), '', false)).toBeNull();
  expect(actOf(key('c', { ctrlKey: true }), '', true)).toBeNull();
  expect(actOf(key('x'), '', true)).toBeNull();
});

test('keys that are no characters always act', () => {
  expect(['Enter', 'End', 'Escape', 'ArrowUp'].map((name) => actOf(key(name), '', false))).toEqual([
    ...['jump', 'end', 'escape', 'up'],
  ]);
});

describe('the focus', () => {
  const box = (left: number, top: number) => ({ left, right: left + 100, top, bottom: top + 50 });
  // Three tiles in a row, and two below them.
  const tiles = [box(0, 0), box(110, 0), box(220, 0), box(0, 60), box(110, 60)];

  test.each([
    [-1, 'next', 0],
    [1, 'next', 2],
    [4, 'next', 4],
    [0, 'previous', 0],
    [1, 'down', 4],
    [2, 'down', 4],
    [4, 'up', 1],
    [0, 'up', 0],
    [3, 'right', 4],
  ] as const)('moves from %i %s to %i', (from, direction, to) => {
    expect(indexFrom(tiles, from, direction)).toBe(to);
  });
});
