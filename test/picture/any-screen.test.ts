/** Tests that there is a picture of any output, and that pictures differ only where the screens do. */
import fc from 'fast-check';
import { screenPicture } from '../../src/picture/screen-picture.js';
import { Screen } from '../../src/screen/screen.js';
import { decodePng } from './decoded-png.js';

const COLS = 12;
const ROWS = 4;

const sgr = fc
  .array(fc.constantFrom(0, 1, 2, 3, 4, 7, 8, 9, 21, 31, 42, 53, 97, 103, '38;5;200', '48;2;1;2;3', '4:3'), {
    maxLength: 3,
  })
  .map((codes) => `\x1b[${codes.join(';')}m`);
const move = fc
  .tuple(fc.integer({ min: 1, max: ROWS }), fc.integer({ min: 1, max: COLS }))
  .map(([row, column]) => `\x1b[${row};${column}H`);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.string({ unit: fc.constantFrom('a', '日', '┼', '█', '⣿', '😀', '\u0301', '\u200d', '\ue0b0'), maxLength: 6 }),
);
const other = fc.constantFrom(
  '\x1b[K',
  '\x1b[2J',
  '\x1b[@',
  '\x1b[P',
  '\x1b[?1049h',
  '\x1b[?25l',
  '\r\n',
  '\t',
  '\x1b(0',
);
const output = fc.array(fc.oneof(sgr, move, text, other), { maxLength: 30 }).map((parts) => parts.join(''));

it('is rendered for any screen, in the right size, and the same each time', async () => {
  const property = fc.asyncProperty(output, async (printed) => {
    const screen = new Screen(COLS, ROWS, { onRowLeft: () => {}, onReply: () => {} });
    screen.write(Buffer.from(printed));
    const snapshot = { cols: COLS, rows: ROWS, offset: 0, data: screen.restoration().data };
    const [png, again] = await Promise.all([screenPicture(snapshot), screenPicture(snapshot)]);
    expect(again.equals(png)).toBe(true);
    const { width, height, at } = decodePng(png);
    expect([width, height]).toEqual([COLS * 8, ROWS * 16]);
    const { lines, cursor } = screen.snapshot('ansi');
    for (const [y, line] of lines.entries()) {
      // An empty row has a single colour, except for the cursor.
      if (line !== '' || cursor.y === y) continue;
      for (let pixel = 0; pixel < 16; pixel++) {
        expect(at(width - 1, y * 16 + pixel)).toBe(at(width - 1, y * 16));
      }
    }
    screen.dispose();
  });
  await fc.assert(property, { numRuns: 300, seed: 20_261_121 });
});
