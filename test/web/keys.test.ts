/** The keys of the page. */
import { actOf } from '../../web/src/palette/key-map.js';

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
