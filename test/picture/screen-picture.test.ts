/** Tests pictures of screens: the content of a cell appears there in its colours, and nothing else. */
import { Screen } from '../../src/screen/screen.js';
import { screenPicture } from '../../src/picture/screen-picture.js';
import { error } from '../conformance/error.js';
import { decodePng } from './decoded-png.js';

const WHITE = 0xffffff;
const BLACK = 0x000000;
const RED = 0xcc0000;
const GREEN = 0x4e9a06;
const BRIGHT_RED = 0xef2929;

/** Returns the picture of output on a new screen with the cursor hidden. */
async function pictureOf(output: string, cols = 10, rows = 3) {
  const screen = new Screen(cols, rows, { onRowLeft: () => {}, onReply: () => {} });
  screen.write(Buffer.from(`\x1b[?25l${output}`));
  const picture = decodePng(await screenPicture({ cols, rows, offset: 0, data: screen.restoration().data }));
  screen.dispose();
  /** Returns the rows of one cell, or of several side by side: `#` for a pixel of that colour. */
  const cell = (x: number, y: number, colour = WHITE, columns = 1): string[] =>
    Array.from({ length: 16 }, (_, row) =>
      Array.from({ length: 8 * columns }, (_unused, column) =>
        picture.at(x * 8 + column, y * 16 + row) === colour ? '#' : '.',
      ).join(''),
    );
  /** Returns all colours in a cell. */
  const colours = (x: number, y: number): number[] => {
    const all = Array.from({ length: 128 }, (_, i) => picture.at(x * 8 + (i % 8), y * 16 + Math.floor(i / 8)));
    return [...new Set(all)].sort((a, b) => a - b);
  };
  return { ...picture, cell, colours };
}

const FULL = Array.from({ length: 16 }, () => '########');
const EMPTY = Array.from({ length: 16 }, () => '........');

describe('a picture of a screen', () => {
  it('has eight by sixteen pixels for each cell', async () => {
    const { width, height, cell, colours } = await pictureOf('A', 7, 2);
    expect([width, height]).toEqual([56, 32]);
    expect(cell(0, 0)).toEqual([
      ...['........', '........', '........', '........', '...##...', '..#..#..', '..#..#..', '.#....#.'],
      ...['.#....#.', '.######.', '.#....#.', '.#....#.', '.#....#.', '.#....#.', '........', '........'],
    ]);
    expect(cell(1, 0)).toEqual(EMPTY);
    expect(colours(0, 0)).toEqual([BLACK, WHITE]);
  });

  it('shows colours by name, by number and as RGB, of text and background', async () => {
    const { colours } = await pictureOf(
      '\x1b[31mA\x1b[42mA\x1b[m\x1b[38;5;196mA\x1b[48;5;244mA\x1b[m\x1b[38;2;1;2;3mA\x1b[m\x1b[91mA\x1b[7mA',
    );
    expect(colours(0, 0)).toEqual([BLACK, RED]);
    expect(colours(1, 0)).toEqual([GREEN, RED]);
    expect(colours(2, 0)).toEqual([BLACK, 0xff0000]);
    expect(colours(3, 0)).toEqual([0x808080, 0xff0000]);
    expect(colours(4, 0)).toEqual([BLACK, 0x010203]);
    expect(colours(5, 0)).toEqual([BLACK, BRIGHT_RED]);
    expect(colours(6, 0)).toEqual([BLACK, BRIGHT_RED]);
  });

  it('shows the background of empty cells, to the end of the row', async () => {
    const { colours } = await pictureOf('A\x1b[41m\x1b[K\x1b[m');
    expect(colours(0, 0)).toEqual([BLACK, WHITE]);
    for (let x = 1; x < 10; x++) expect(colours(x, 0)).toEqual([RED]);
    expect(colours(0, 1)).toEqual([BLACK]);
  });

  it('shows bold, dim, inverse, hidden, underlined and struck-through text', async () => {
    const { cell, colours } = await pictureOf(
      '\x1b[1mA\x1b[m\x1b[2mA\x1b[m\x1b[7mA\x1b[m\x1b[8mA\x1b[m\x1b[4m \x1b[m\x1b[21m \x1b[m\x1b[9m \x1b[m\x1b[1;31mA',
    );
    expect(cell(0, 0)[9]).toBe('.#######');
    expect(colours(1, 0)).toEqual([BLACK, 0x7f7f7f]);
    expect(cell(2, 0)[9]).toBe('#......#');
    expect(cell(3, 0)).toEqual(EMPTY);
    expect(
      cell(4, 0)
        .map((row) => row === FULL[0])
        .indexOf(true),
    ).toBe(14);
    expect(cell(5, 0).filter((row) => row === FULL[0])).toHaveLength(2);
    expect(cell(6, 0)[8]).toBe(FULL[0]);
    expect(colours(7, 0)).toEqual([BLACK, BRIGHT_RED]);
  });

  it('shows box-drawing characters without gaps, blocks and braille', async () => {
    const { cell } = await pictureOf('┌─┐█▀⠿');
    expect(cell(0, 0, WHITE, 3)[7]).toMatch(/^\.{3,4}#+\.{3,4}$/);
    expect(cell(1, 0)[7]).toBe(FULL[0]);
    expect(cell(3, 0)).toEqual(FULL);
    expect(cell(4, 0)).toEqual([...FULL.slice(0, 8), ...EMPTY.slice(0, 8)]);
    expect(cell(5, 0).join('').split('#').length).toBeGreaterThan(12);
  });

  it('shows wide characters in two cells, and combining marks over their character', async () => {
    const { cell } = await pictureOf('日x\r\ne\u0301 e');
    const wide = cell(0, 0, WHITE, 2);
    expect(wide.some((row) => row.slice(8).includes('#'))).toBe(true);
    expect(wide.some((row) => row.slice(0, 8).includes('#'))).toBe(true);
    expect(cell(2, 0)).not.toEqual(EMPTY);
    const [accented, plain] = [cell(0, 1), cell(2, 1)];
    expect(accented).not.toEqual(plain);
    plain.forEach((row, y) => [...row].forEach((pixel, x) => pixel === '#' && expect(accented[y]![x]).toBe('#')));
  });

  it('shows a symbol of one column in one cell, and a box for what the font lacks', async () => {
    const { cell } = await pictureOf('✓x😀x');
    expect(cell(0, 0)).not.toEqual(EMPTY);
    expect(cell(1, 0)).toEqual((await pictureOf('x')).cell(0, 0));
    const box = cell(2, 0, WHITE, 2);
    expect(box[3]).toBe('.##############.');
    expect(box[8]).toBe('.#............#.');
    expect(cell(4, 0)).toEqual(cell(1, 0));
  });

  it('shows the cursor, also after the last column, and not if it is hidden', async () => {
    const shown = await pictureOf('A\x1b[?25h');
    expect(shown.cell(1, 0)).toEqual(FULL);
    const over = await pictureOf('A\x1b[?25h\x1b[H');
    expect(over.cell(0, 0)[9]).toBe('#......#');
    const behind = await pictureOf('0123456789\x1b[?25h');
    expect(behind.cell(9, 0)[0]).toBe('########');
    expect((await pictureOf('A')).cell(1, 0)).toEqual(EMPTY);
  });

  it('shows the alternate screen if it is active', async () => {
    const { cell } = await pictureOf('before\x1b[?1049h\x1b[HA');
    expect(cell(0, 0)).toEqual((await pictureOf('A')).cell(0, 0));
    expect(cell(1, 0)).toEqual(EMPTY);
  });

  it('is refused for a screen that is too large', async () => {
    const large = { cols: 1000, rows: 66, offset: 0, data: '' };
    await expect(screenPicture(large)).rejects.toEqual(error('LIMIT_REACHED', /MAX_PICTURE_CELLS|too large/));
  });
});
