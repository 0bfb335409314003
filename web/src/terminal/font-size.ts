/** Computes the text size that fits the holder's columns. Pure. */

const SMALLEST = 10;
const LARGEST = 18;
const STEP = 0.5;

/**
 * Returns the text size.
 *
 * @param ratio - Width of a character relative to the text size.
 */
export function fontSizeFor(width: number, cols: number, ratio: number): number {
  const exact = width / (cols * ratio);
  return Math.min(LARGEST, Math.max(SMALLEST, Math.floor(exact / STEP) * STEP));
}

/**
 * Returns a smaller text size for a screen that is too high.
 *
 * @param cellHeight - Height of a row at text size `size`, rounded to whole pixels.
 */
export function fontSizeForHeight(height: number, rows: number, size: number, cellHeight: number): number {
  // A row may be rounded up by one pixel.
  const exact = ((height / rows - 1) * size) / cellHeight;
  return Math.min(size, Math.max(SMALLEST, Math.floor(exact / STEP) * STEP));
}

/** Returns the screen size that fills a window with cells of this size. */
export function screenFor(width: number, height: number, cellWidth: number, cellHeight: number) {
  const within = (value: number, least: number): number => Math.min(1000, Math.max(least, Math.floor(value)));
  return { cols: within(width / cellWidth, 20), rows: within(height / cellHeight, 8) };
}
