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

/** Returns the screen size that fills a window at this text size. */
export function screenFor(width: number, height: number, size: number, ratio: number, lead: number) {
  const within = (value: number, least: number): number => Math.min(1000, Math.max(least, Math.floor(value)));
  return { cols: within(width / (size * ratio), 20), rows: within(height / (size * lead), 8) };
}
