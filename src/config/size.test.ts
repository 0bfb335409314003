import fc from 'fast-check';
import { parseSize, formatSize } from './size.js';

describe('a number of bytes', () => {
  it.each([
    ['64K', 65_536],
    ['256M', 268_435_456],
    ['1.5g', 1_610_612_736],
    ['4GiB', 4_294_967_296],
    ['1T', 2 ** 40],
    ['5', undefined],
    ['5 M', undefined],
    ['5MB', undefined],
    ['-5M', undefined],
    ['', undefined],
    ['9999999999T', undefined],
  ])('is parsed from %j', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it('is formatted as it is parsed', () => {
    expect([0, 1023, 65_536, 3 << 20, 4 * 2 ** 30].map(formatSize)).toEqual(['0', '1023', '64K', '3M', '4G']);
    fc.assert(
      fc.property(fc.maxSafeNat(), (bytes) => {
        const text = formatSize(bytes);
        expect(parseSize(text) ?? Number(text)).toBe(bytes);
      }),
    );
  });
});
