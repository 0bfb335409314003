/**
 * The packed attributes of the emulator, of a cell or of the text to come, as the sequences that set them in
 * another. It knows neither cells nor screens.
 */
import { PROTECTED, styleOf, UNDERLINE } from './row.js';

/** Background bit: the form or colour of an underline belongs to the attributes. */
export const HAS_EXTENDED = 0x10000000;
/** Bits of a background that erasing leaves behind. */
const ERASED_BITS = 0x3ffffff;

export interface Extended {
  readonly underlineStyle: number;
  readonly underlineColor: number;
}

/** Packed attributes. */
export interface Pen {
  readonly fg: number;
  readonly bg: number;
  readonly extended: Extended | undefined;
}

export const DEFAULT_PEN: Pen = { fg: 0, bg: 0, extended: undefined };

/** Whether erasing in this background leaves cells just so. */
export function isErased({ fg, bg }: Pen): boolean {
  return fg === 0 && (bg & ~ERASED_BITS) === 0;
}

/** Sets these attributes, whatever they were. */
export function setPen({ fg, bg, extended }: Pen): string {
  const sgr = styleOf(fg, bg, extended).toSgr();
  const reset = sgr === '' ? '\x1b[m' : sgr.replace('\x1b[', '\x1b[0;');
  return reset + ((bg & PROTECTED) !== 0 ? '\x1b[1"q' : '');
}

/** The same, after others: where SGR alone does not end protection, that is said too. */
export function changePen(from: Pen, to: Pen): string {
  return ((from.bg & ~to.bg & PROTECTED) !== 0 ? '\x1b[0"q' : '') + setPen(to);
}

/** Whether `setPen` gives these attributes: a restored cursor can bring a form of underlines without any. */
export function isRegular({ fg, extended }: Pen): boolean {
  return ((fg & UNDERLINE) !== 0) === (extended !== undefined && extended.underlineStyle !== 0);
}

/** Sets everything but what concerns underlines and protection, whatever it was. */
export function setAllButUnderline({ fg, bg }: Pen): string {
  const style = styleOf(fg, bg, undefined);
  style.underline = 0;
  const protection = (bg & PROTECTED) !== 0 ? '\x1b[1"q' : '\x1b[0"q';
  return `\x1b[22;23;25;27;28;29;39;49;55m${style.toSgr()}${protection}`;
}

/** Sets the colour of underlines, without which there is nothing to set. */
export function underlineColor({ extended }: Pen): string {
  return styleOf(0, 0, extended).toSgr();
}
