import { Screen } from './screen.js';
import type { Row } from './screen.js';

const COLS = 1000;
const ROWS = 1000;

function screenOf(output: string): { screen: Screen; left: Row[] } {
  const left: Row[] = [];
  const screen = new Screen(COLS, ROWS, { onRowLeft: (row) => left.push(row), onReply: () => undefined });
  screen.write(Buffer.from(output));
  return { screen, left };
}

/** Lines of numbers, each of 990 columns; numbers show what is missing, and where. */
const line = (n: number): string => Array.from({ length: 198 }, (_, part) => `${n % 10}${part}`.padEnd(5)).join('');
const LINES = Array.from({ length: 900 }, (_, n) => line(n));
const SIZES: readonly [number, number][] = [
  [2, 1],
  [2, 1000],
  [7, 3],
  [80, 24],
  [400, 1000],
];

/** The lines of rows that have left and rows that are visible. */
function linesOf(rows: readonly Row[]): string[] {
  const lines: string[] = [];
  for (const { ansi, isWrapped } of rows) lines.push(isWrapped ? lines.pop()! + ansi : ansi);
  return lines;
}

describe.each(SIZES)('a full screen of a thousand by a thousand that becomes %i × %i', (cols, rows) => {
  it.each([
    ['lines', LINES.join('\r\n'), LINES.map((each) => each.trimEnd())],
    ['one line', LINES.join(''), [LINES.join('').trimEnd()]],
  ])('keeps all of its text: %s', (_what, output, lines) => {
    const { screen, left } = screenOf(output.trimEnd());
    screen.resize(cols, rows);
    screen.write(Buffer.from('!'));
    const kept = linesOf([...left, ...screen.visibleRows()]);
    // A comparison of lines this long would take minutes to print.
    expect(kept.map((each) => each.trimEnd()).join('\n') === `${lines.join('\n')}!`).toBe(true);
    expect(left.length).toBeLessThan(4 * ROWS);
  });

  it('wraps only a few rows again if the cursor is above all of them', () => {
    const { screen, left } = screenOf(`${LINES.join('')}\x1b[H`);
    screen.resize(cols, rows);
    expect(left.length).toBeLessThan(4 * ROWS);
    expect(screen.snapshot('text').cursor).toMatchObject({ x: 0, y: 0 });
  });
});
