/** Provides bitmaps of characters from GNU Unifont, loaded on first use (see fonts/README.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { PACKAGE } from '../package-paths.js';

export const GLYPH_ROWS = 16;
export const COLUMN_PIXELS = 8;

/** Sixteen rows of pixels. In each row, the leftmost pixel is the highest of `pixels` bits. */
export interface Glyph {
  readonly pixels: 8 | 16;
  readonly rows: Uint16Array;
}

const CODE_POINTS = 0x10000;
const FONT = join(PACKAGE, 'fonts', 'unifont.br');

/** The number of columns and the start of the glyph of each code point, and the bytes of all glyphs. */
interface Font {
  readonly columns: Uint8Array;
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
}

let font: Font | null = null;

function readFont(): Font {
  const bytes = brotliDecompressSync(readFileSync(FONT));
  const columns = bytes.subarray(0, CODE_POINTS);
  const starts = new Uint32Array(CODE_POINTS);
  let at = CODE_POINTS;
  for (let code = 0; code < CODE_POINTS; code++) {
    starts[code] = at;
    at += columns[code]! * GLYPH_ROWS;
  }
  return { columns, starts, bytes };
}

/** Returns the glyph of a code point, or null. There are no glyphs beyond the Basic Multilingual Plane. */
function glyphOf(codePoint: number): Glyph | null {
  const { columns, starts, bytes } = (font ??= readFont());
  const count = codePoint < CODE_POINTS ? columns[codePoint]! : 0;
  if (count === 0) return null;
  const start = starts[codePoint]!;
  const rows = Uint16Array.from({ length: GLYPH_ROWS }, (_, y) =>
    count === 1 ? bytes[start + y]! : (bytes[start + 2 * y]! << 8) | bytes[start + 2 * y + 1]!,
  );
  return { pixels: count === 1 ? 8 : 16, rows };
}

/** Combining marks, joiners and selectors. They are drawn over the preceding character, or not at all. */
const COMBINING = /^[\p{M}\p{Cf}]$/u;

/**
 * Combines the glyphs of a cell's characters into a bitmap of the given width. A character without a glyph becomes a
 * box.
 */
export function glyphIn(text: string, columns: 1 | 2): Uint16Array {
  const [first, ...rest] = text;
  const base = glyphOf(first!.codePointAt(0)!);
  const rows = base === null ? boxIn(columns) : fitted(base, columns);
  for (const one of rest) {
    const mark = COMBINING.test(one) ? glyphOf(one.codePointAt(0)!) : null;
    if (mark !== null && mark.pixels === COLUMN_PIXELS) fitted(mark, columns).forEach((row, y) => (rows[y]! |= row));
  }
  return rows;
}

/** Fits a glyph to another width: merges pairs of pixels, or centres it. */
function fitted({ pixels, rows }: Glyph, columns: 1 | 2): Uint16Array {
  if (pixels === columns * COLUMN_PIXELS) return rows.slice();
  return rows.map((row) => (columns === 2 ? row << (COLUMN_PIXELS / 2) : halved(row)));
}

function halved(row: number): number {
  let half = 0;
  for (let pixel = 0; pixel < COLUMN_PIXELS; pixel++) {
    if (((row >>> (2 * pixel)) & 3) !== 0) half |= 1 << pixel;
  }
  return half;
}

const BOX_TOP = 3;
const BOX_BOTTOM = 13;

function boxIn(columns: 1 | 2): Uint16Array {
  const pixels = columns * COLUMN_PIXELS;
  const edge = (1 << (pixels - 2)) | 2;
  const line = (1 << (pixels - 1)) - 2;
  return Uint16Array.from({ length: GLYPH_ROWS }, (_, y) => {
    if (y < BOX_TOP || y > BOX_BOTTOM) return 0;
    return y === BOX_TOP || y === BOX_BOTTOM ? line : edge;
  });
}
