/**
 * Packs GNU Unifont, as released (`unifont.hex`), into the file used to render pictures of screens:
 *
 *     node scripts/font.mjs unifont.hex > fonts/unifont.br
 *
 * The file is compressed and contains, for each code point below 0x10000, one byte with the width of its glyph in
 * columns of eight pixels (0 for none); then the glyphs in order, each as 16 rows from top to bottom, a row being one
 * or two bytes with the leftmost pixel in the highest bit.
 */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const ROWS = 16;

const columns = Buffer.alloc(0x10000);
const glyphs = readFileSync(process.argv[2], 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(':'))
  .map(([code, hex]) => {
    const glyph = Buffer.from(hex, 'hex');
    columns[parseInt(code, 16)] = glyph.length / ROWS;
    return glyph;
  });
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
process.stdout.write(brotliCompressSync(Buffer.concat([columns, ...glyphs]), { params }));
