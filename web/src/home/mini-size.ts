/** Computes the text size at which a whole screen fits a tile. Pure. */

export const MINI_LEAD = 1.08;
/** The space inside the well of a tile; tiles are at least this wide. */
const WIDTH_PX = 298;
const HEIGHT_PX = 143;
/** Width of a character relative to the text size. */
const RATIO = 0.602;
const LARGEST = 11;

export function miniSizeFor(rows: number, cols: number): number {
  const fitting = Math.min(HEIGHT_PX / (rows * MINI_LEAD), WIDTH_PX / (cols * RATIO), LARGEST);
  return Math.floor(fitting * 10) / 10;
}
