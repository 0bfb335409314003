/** Converts a row of the emulator to text with colour codes. Pure. */
import type { IBufferCell, IBufferLine } from '@xterm/xterm';

const NORMAL_COLOURS = 8;
const ANSI_COLOURS = 16;

function colourCode(cell: IBufferCell, isFront: boolean): string {
  const [isPalette, isRgb, colour] = isFront
    ? [cell.isFgPalette(), cell.isFgRGB(), cell.getFgColor()]
    : [cell.isBgPalette(), cell.isBgRGB(), cell.getBgColor()];
  const base = isFront ? 30 : 40;
  if (isRgb) return `;${base + 8};2;${colour >> 16};${(colour >> 8) & 255};${colour & 255}`;
  if (!isPalette) return '';
  if (colour < NORMAL_COLOURS) return `;${base + colour}`;
  return colour < ANSI_COLOURS ? `;${base + 52 + colour}` : `;${base + 8};5;${colour}`;
}

function styleOf(cell: IBufferCell): string {
  const flags = `${cell.isBold() ? ';1' : ''}${cell.isUnderline() ? ';4' : ''}${cell.isInverse() ? ';7' : ''}`;
  return `0${flags}${colourCode(cell, true)}${colourCode(cell, false)}`;
}

/** Returns the row's text; each change of style is one sequence. */
export function ansiOf(line: IBufferLine): string {
  let text = '';
  let style = '0';
  let cell: IBufferCell | undefined;
  for (let column = 0; column < line.length; column++) {
    cell = line.getCell(column, cell);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const next = styleOf(cell);
    if (next !== style) text += `\x1b[${next}m`;
    style = next;
    text += cell.isInvisible() || cell.getChars() === '' ? ' '.repeat(cell.getWidth()) : cell.getChars();
  }
  return style === '0' ? text.trimEnd() : text;
}
