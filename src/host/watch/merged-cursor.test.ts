/** Tests the cursor of a watch over several hosts. */
import { decodeCursor, encodeCursor } from './merged-cursor.js';

it.each([
  [[]],
  [[[0, '0123456789ab.17']]],
  [
    [
      [3, '0'],
      [0, 'ab.0'],
      [12, 'unknown'],
    ],
  ],
] as [[number, string][]][])('contains the position in each host: %j', (positions) => {
  const cursor = encodeCursor(new Map(positions));
  expect(cursor).toMatch(/^[\w.~-]+$/);
  expect(decodeCursor(cursor)).toEqual(new Map(positions));
});

it.each(['', '~', '0', '0.', '.1', 'x.1', '1.a~', '1.a b', '1234567.a'])('is none if it is "%s"', (text) => {
  expect(decodeCursor(text)).toBeNull();
});

it('stays within its limit, and then means nothing', () => {
  const hosts = Array.from({ length: 1000 }, (_, slot) => [slot, '0123456789ab.123'] as const);
  const cursor = encodeCursor(new Map(hosts));
  expect(cursor.length).toBeLessThanOrEqual(4096);
  expect(decodeCursor(cursor)).toBeNull();
});
