/**
 * Draws a screen as a person would see it in a terminal; each cell is 8 pixels wide and 16 high. The input is a
 * snapshot; no terminal is needed.
 */
import type { TerminalSnapshot } from '../contract/output.js';
import { limitReached } from '../errors.js';
import { shownCells } from '../screen/shown-cells.js';
import type { ShownCell, ShownScreen } from '../screen/shown-cells.js';
import { BOLD, DIM, INVERSE, INVISIBLE, ITALIC, OVERLINE, STRIKETHROUGH } from '../screen/style.js';
import type { Style } from '../screen/style.js';
import { COLUMN_PIXELS, GLYPH_ROWS, glyphIn } from './glyphs.js';
import { BACKGROUND, blend, FOREGROUND, rgbOf } from './palette.js';
import type { Rgb } from './palette.js';
import { encodePng } from './png.js';
import type { Pixels } from './png.js';

/** Maximum number of cells. 65,536 cells make a picture of 25 MB before compression. */
export const MAX_PICTURE_CELLS = 65_536;

const UNDERLINE_ROW = 14;
const SECOND_UNDERLINE_ROW = 12;
const STRIKE_ROW = 8;
const DOUBLE = 2;
const BYTES_A_PIXEL = 3;

/**
 * Resolves to the picture as a PNG.
 *
 * @throws `LIMIT_REACHED` for a screen of more than 65,536 cells.
 */
export async function screenPicture(snapshot: TerminalSnapshot): Promise<Buffer> {
  if (snapshot.cols * snapshot.rows > MAX_PICTURE_CELLS) {
    throw limitReached('MAX_PICTURE_CELLS', MAX_PICTURE_CELLS, 'The screen is too large for a picture');
  }
  return encodePng(drawn(shownCells(snapshot)));
}

function drawn({ cols, rows, cells, cursor }: ShownScreen): Pixels {
  const width = cols * COLUMN_PIXELS;
  const height = rows * GLYPH_ROWS;
  const rgb = new Uint8Array(width * height * BYTES_A_PIXEL);
  for (const cell of cells) {
    const isUnderCursor =
      cursor !== null && cursor.y === cell.y && cursor.x >= cell.x && cursor.x < cell.x + cell.columns;
    drawCell(rgb, width, cell, isUnderCursor);
  }
  return { width, height, rgb };
}

function drawCell(rgb: Uint8Array, width: number, cell: ShownCell, isUnderCursor: boolean): void {
  const { foreground, background } = coloursOf(cell.style, isUnderCursor);
  const rows = rowsOf(cell);
  const pixels = cell.columns * COLUMN_PIXELS;
  for (let y = 0; y < GLYPH_ROWS; y++) {
    let at = ((cell.y * GLYPH_ROWS + y) * width + cell.x * COLUMN_PIXELS) * BYTES_A_PIXEL;
    for (let bit = pixels - 1; bit >= 0; bit--, at += BYTES_A_PIXEL) {
      const colour = ((rows[y]! >>> bit) & 1) === 1 ? foreground : background;
      rgb[at] = colour >>> 16;
      rgb[at + 1] = colour >>> 8;
      rgb[at + 2] = colour;
    }
  }
}

function coloursOf(style: Style, isUnderCursor: boolean): { foreground: Rgb; background: Rgb } {
  const shown = rgbOf(style.foreground, FOREGROUND, (style.flags & BOLD) !== 0);
  const behind = rgbOf(style.background, BACKGROUND);
  const isInverse = ((style.flags & INVERSE) !== 0) !== isUnderCursor;
  const [foreground, background] = isInverse ? [behind, shown] : [shown, behind];
  return { foreground: (style.flags & DIM) === 0 ? foreground : blend(foreground, background), background };
}

const NOTHING = new Uint16Array(GLYPH_ROWS);

/** Returns the glyph with the effects of its style. */
function rowsOf({ text, columns, style: { flags, underline } }: ShownCell): Uint16Array {
  const isBlank = text === '' || text === ' ' || (flags & INVISIBLE) !== 0;
  const glyph = isBlank ? NOTHING.slice() : glyphIn(text, columns);
  const full = (1 << (columns * COLUMN_PIXELS)) - 1;
  const rows = glyph.map((row, y) => styled(row, y, flags) & full);
  if (underline !== 0) rows[UNDERLINE_ROW] = full;
  if (underline === DOUBLE) rows[SECOND_UNDERLINE_ROW] = full;
  if ((flags & STRIKETHROUGH) !== 0) rows[STRIKE_ROW] = full;
  if ((flags & OVERLINE) !== 0) rows[0] = full;
  return rows;
}

/**
 * Applies a style to a row of pixels. The font has only one form of each character, so bold is drawn one pixel thicker,
 * and the upper half of italic is shifted by one pixel.
 */
function styled(row: number, y: number, flags: number): number {
  const leaning = (flags & ITALIC) !== 0 && y < GLYPH_ROWS / 2 ? row >>> 1 : row;
  return (flags & BOLD) === 0 ? leaning : leaning | (leaning >>> 1);
}
