/**
 * Packs GNU Unifont, as its releases give it (`unifont.hex`), into the file that pictures of screens are drawn with:
 *
 *     node scripts/font.mjs unifont.hex > fonts/unifont.br
 *
 * Compressed: for each code point below 0x10000 one byte, how many columns of eight pixels its glyph has, 0 for none;
 * then the glyphs in order, 16 rows from top to bottom, a row as one byte or two, the leftmost pixel the highest bit.
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
