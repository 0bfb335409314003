/** Tests which part of the output is held back for a new client, and which is started again for it. */
import { ScreenUnderTest } from './screen-under-test.js';

function after(...writes: string[]): ScreenUnderTest {
  const screen = new ScreenUnderTest(20, 4);
  for (const text of writes) screen.write(Buffer.from(text));
  return screen;
}

const LONG = 'z'.repeat(100_000);

describe('an unfinished sequence', () => {
  it.each([
    ['text', 0],
    ['text\x1b', 1],
    ['text\x1b[1;3', 5],
    ['\x1b[1mtext\x1b]0;name', 8],
    ['text\u009b1', 3],
    ['\x1b]0;name\x1b', 1],
    ['\x1b[1mtext\x18\x1b[2', 3],
  ])('of %j is held back: %d bytes', (text, heldBack) => {
    expect(after(text).screen.restoration().heldBack).toBe(heldBack);
    expect(after(...text).screen.restoration().heldBack).toBe(heldBack);
  });

  it('is held back together with the start of a character', () => {
    const screen = after('text');
    screen.write(Uint8Array.of(0x1b, 0x5d, 0x32, 0x3b, 0xe4, 0xbd));
    expect(screen.screen.restoration().heldBack).toBe(6);
  });

  it('is restarted without a control character in it that has taken effect', () => {
    const original = after('a\x1b[1\n;3');
    expect(original.screen.restoration().heldBack).toBe(0);
    const newcomer = original.newcomer();
    for (const screen of [original, newcomer]) screen.write(Buffer.from('1mb'));
    expect(newcomer.state).toEqual(original.state);
    expect(newcomer.screen.snapshot('ansi').lines.slice(0, 2)).toEqual(['a', ' \x1b[1;31mb\x1b[0m']);
  });

  it.each(['\x1b]52;c;', '\x1bPq', '\x1b_G'])(
    'started by %j that is very long consumes its rest, and no more',
    (start) => {
      const original = after('text', `${start}${LONG}`, LONG);
      const { data, heldBack } = original.screen.restoration();
      expect(heldBack).toBe(0);
      expect(data.length).toBeLessThan(1000);
      const newcomer = original.newcomer();
      for (const screen of [original, newcomer]) screen.write(Buffer.from(`${LONG}\x1b\\ more`));
      expect(newcomer.state).toEqual(original.state);
    },
  );
});
