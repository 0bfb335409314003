/** Tests that a control string that is too long is abandoned and discarded up to its end, wherever writes split it. */
import fc from 'fast-check';
import { MAX_STRING_BYTES } from '../../src/screen/string-limit.js';
import { retainedBytes } from '../engine/memory.js';
import { ScreenUnderTest } from './screen-under-test.js';
import { runs } from '../deep.js';

/** The introducers of strings, as ESC and a letter and as a C1 control in UTF-8, and their terminators. */
const BEGINS = [
  '\x1b]2;',
  '\u009d2;',
  '\x1b]8;;',
  '\x1bPq',
  '\x1bP$q',
  '\u0090$q',
  '\x1b_G',
  '\u009f',
  '\x1b^',
  '\x1bX',
];
const ENDS = ['\x07', '\x1b\\', '\u009c', '\x18'];
const isOsc = (begin: string): boolean => begin.includes(']') || begin.startsWith('\u009d');

const string = fc
  .tuple(fc.constantFrom(...BEGINS), fc.constantFrom(...ENDS), fc.constantFrom('z', 'é', 'z\n'))
  .filter(([begin, end]) => end !== '\x07' || isOsc(begin))
  // In SOS, PM and APC strings, the emulator takes any non-ASCII character for the end.
  .filter(([begin, , unit]) => unit === 'z' || isOsc(begin));
const around = fc.oneof(fc.integer({ min: -6, max: 6 }), fc.constantFrom(-60_000, 1000, 90_000));
const cuts = fc.array(fc.oneof(fc.nat({ max: 200_000 }), fc.integer({ min: -8, max: 8 })), { maxLength: 5 });

/** Returns a string of about the maximum number of bytes. */
function stringOf([begin, end, unit]: readonly [string, string, string], more: number): string {
  const bytes = Buffer.byteLength(unit.replace('\n', ''));
  return `${begin}${unit.repeat((MAX_STRING_BYTES + more) / bytes)}${end}`;
}

/** Splits at these offsets; negative ones count from the end, small ones from the limit. */
function inPieces(bytes: Buffer, places: readonly number[]): Buffer[] {
  const near = (place: number): number => (Math.abs(place) > 8 ? place : place + MAX_STRING_BYTES + 6);
  const sorted = places.map((place) => near(place) % (bytes.length + 1)).sort((a, b) => a - b);
  return [...sorted, bytes.length].map((place, i) => bytes.subarray(sorted[i - 1] ?? 0, place));
}

describe('a control string of any length', () => {
  it('leaves the same state however it is split, and for a subscriber in its middle', () => {
    const property = fc.property(string, around, cuts, (kind, more, places) => {
      const output = Buffer.from(`before ${stringOf(kind, more)} behind\r\n`);
      const whole = new ScreenUnderTest(40, 4);
      whole.write(output);
      const divided = new ScreenUnderTest(40, 4);
      const newcomers = inPieces(output, places).flatMap((piece, i, all) => {
        divided.write(piece);
        return [{ newcomer: divided.newcomer(), rest: Buffer.concat(all.slice(i + 1)) }];
      });
      for (const { newcomer, rest } of newcomers) newcomer.write(rest);
      for (const { state } of [divided, ...newcomers.map(({ newcomer }) => newcomer)])
        expect(state).toEqual(whole.state);
    });
    fc.assert(property, { numRuns: runs({ normal: 20, deep: 300 }), seed: 20_261_121 });
  });

  it.each([
    ['\x1b]2;', '\x07', 'z'],
    ['\u009d2;', '\u009c', 'z'],
    ['\x1b]2;', '\x1b\\', 'é'],
    ['\x1b]2;', '\x1b\\', 'z\n'],
  ])('started by %j has its effect up to the limit, and none beyond', (begin, end, unit) => {
    const titleAfter = (more: number): string => {
      const screen = new ScreenUnderTest(20, 4);
      screen.write(Buffer.from(`\x1b]2;old\x07${stringOf([begin, end, unit], more)}text`));
      expect(screen.screen.snapshot('text').lines[0]).toBe('text');
      return screen.screen.title;
    };
    // The number is part of the string.
    expect(titleAfter(-'2;'.length)).toMatch(unit[0]!.repeat(500));
    expect(titleAfter(0)).toBe('old');
    expect(titleAfter(1_000_000)).toBe('old');
  });

  it('has no effect on what follows it: the next title is applied', () => {
    const screen = new ScreenUnderTest(20, 4);
    screen.write(Buffer.from(`${stringOf(['\x1b]2;', '\x07', 'z'], 10)}\x1b]2;next\x07`));
    expect(screen.screen.title).toBe('next');
  });
});

describe('a control string without an end', () => {
  it.each(BEGINS)('started by %j costs no more memory than the limit allows', (begin) => {
    const screens = Array.from({ length: 4 }, () => new ScreenUnderTest(20, 4));
    const more = Buffer.alloc(64 << 10, 'z');
    const before = retainedBytes();
    for (const { screen } of screens) {
      screen.write(Buffer.from(begin));
      for (let i = 0; i < 40; i++) screen.write(more);
    }
    expect((retainedBytes() - before) / screens.length).toBeLessThan(1 << 20);
    expect(screens[0]!.screen.restoration().data.length).toBeLessThan(1000);
  });
});
