/**
 * Converts the emulator's packed attributes, of a cell or of the text to be written next, to the sequences that set
 * them in another emulator.
 */
import type { Extended } from './internals.js';
import { PROTECTED, styleOf, UNDERLINE } from './row.js';

/** Bits of a background that erasing leaves behind. */
const ERASED_BITS = 0x3ffffff;

/** Packed attributes. */
export interface Pen {
  readonly fg: number;
  readonly bg: number;
  readonly extended: Extended | undefined;
}

export const DEFAULT_PEN: Pen = { fg: 0, bg: 0, extended: undefined };

/** Returns whether erasing with this background leaves cells with exactly these attributes. */
export function isErased({ fg, bg }: Pen): boolean {
  return fg === 0 && (bg & ~ERASED_BITS) === 0;
}

/** Returns the sequence that sets these attributes, regardless of their previous values. */
export function setPen({ fg, bg, extended }: Pen): string {
  const sgr = styleOf(fg, bg, extended).toSgr();
  const reset = sgr === '' ? '\x1b[m' : sgr.replace('\x1b[', '\x1b[0;');
  return reset + ((bg & PROTECTED) !== 0 ? '\x1b[1"q' : '');
}

/** Like `setPen`, but for a known previous state. It also ends protection, which SGR alone does not. */
export function changePen(from: Pen, to: Pen): string {
  return ((from.bg & ~to.bg & PROTECTED) !== 0 ? '\x1b[0"q' : '') + setPen(to);
}

/**
 * Returns whether `setPen` can set these attributes. It cannot if, after a cursor has been restored, there is an
 * underline shape without an underline, or the reverse.
 */
export function isRegular({ fg, extended }: Pen): boolean {
  return ((fg & UNDERLINE) !== 0) === (extended !== undefined && extended.underlineStyle !== 0);
}

/** Returns the sequence that sets everything except underline and protection, regardless of the previous attributes. */
export function setAllButUnderline({ fg, bg }: Pen): string {
  const style = styleOf(fg, bg, undefined);
  style.underline = 0;
  const protection = (bg & PROTECTED) !== 0 ? '\x1b[1"q' : '\x1b[0"q';
  return `\x1b[22;23;25;27;28;29;39;49;55m${style.toSgr()}${protection}`;
}

/** Returns the sequence that sets the underline colour; empty if there is none. */
export function underlineColor({ extended }: Pen): string {
  return styleOf(0, 0, extended).toSgr();
}
