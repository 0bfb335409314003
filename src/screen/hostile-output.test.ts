import { Screen } from './screen.js';

function screenOf(output: string, cols = 20, rows = 5): { screen: Screen; left: string[] } {
  const left: string[] = [];
  const screen = new Screen(cols, rows, { onRowLeft: ({ ansi }) => left.push(ansi), onReply: () => undefined });
  screen.write(new TextEncoder().encode(output));
  return { screen, left };
}

const lines = (screen: Screen): string[] => screen.snapshot('text').lines;

describe('a hostile program', () => {
  it.each([
    'S',
    'T',
    'L',
    'M',
    'I',
    'Z',
    '@',
    'P',
    'X',
    'A',
    'B',
    'C',
    'D',
    'E',
    'F',
    'G',
    'd',
    '`',
    'a',
    'e',
    ' @',
    ' A',
  ])('that requests CSI %s two thousand million times gets no more than a screenful of it', (final) => {
    const text = 'one\r\ntwo\r\nthree\x1b[2;2H';
    const { screen } = screenOf(`${text}\x1b[2147483647${final}x`);
    expect(lines(screen)).toEqual(lines(screenOf(`${text}\x1b[1000${final}x`).screen));
  });

  it('that repeats a character very often fills the screen, and no more', () => {
    const { screen, left } = screenOf('a\x1b[2147483647b');
    expect(left.length).toBeLessThanOrEqual(5);
    expect(lines(screen)[1]).toBe('a'.repeat(20));
  });

  it('that adds a million combining marks to one letter has only some of them kept', () => {
    const { screen } = screenOf(`e${'\u0301'.repeat(1_000_000)}f`);
    const [line] = lines(screen);
    expect(line).toMatch(/^e\u0301+f$/);
    expect(line!.length).toBeLessThan(100);
  });

  it('that prints links has only their text kept', () => {
    const link = (n: number): string => `\x1b]8;;http://x/${n}\x07L\x1b]8;;\x07\r`;
    const { screen } = screenOf(Array.from({ length: 1000 }, (_, n) => link(n)).join(''));
    expect(screen.snapshot('ansi').lines[0]).toBe('L');
  });

  it('that is resized in the middle of a line loses no output', () => {
    const text = '123456789 '.repeat(6);
    const { screen } = screenOf(text, 80, 5);
    for (const cols of [40, 20, 80]) screen.resize(cols, 5);
    expect(lines(screen)[0]).toBe(text);
  });
});
