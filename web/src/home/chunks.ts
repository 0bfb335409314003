/** Divides a long list into chunks, of which only those near the view are rendered. Pure. */

const ROWS = 20;
/** Lists with fewer rows are rendered as a whole. */
export const MIN_VIRTUAL = 60;

export function chunksOf<Item>(items: readonly Item[]): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += ROWS) chunks.push(items.slice(start, start + ROWS));
  return chunks;
}
