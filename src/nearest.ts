/** Finds the known word nearest to a mistyped one, for "Did you mean" hints. Pure. */

/** A word may differ from a known one in a third of its letters, but always in at least one. */
const LETTERS_PER_MISTAKE = 3;
const MIN_MISTAKES = 1;
/** Minimum length of an abbreviation, because a single letter would abbreviate too many words. */
const MIN_SHORT_LETTERS = 2;

/** Maximum number of mistakes in a word that is probably mistyped. With more, an abbreviation is more likely. */
const MAX_SLIPS = 1;

/** Returns the word of `known` that is nearest to `word`, or undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(MIN_MISTAKES, Math.floor(word.length / LETTERS_PER_MISTAKE));
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceWithin(limit, word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [first] = ranked;
  const short = ranked.find(({ candidate }) => isShortFor(word.toLowerCase(), candidate.toLowerCase()));
  if (first === undefined || first.distance <= MAX_SLIPS) return first?.candidate;
  return (short ?? ranked.find(({ distance }) => distance <= limit))?.candidate;
}

/**
 * Returns whether `word` can be an abbreviation of `whole`, as cmd is of command: it starts with the same letter, and
 * all its letters occur in `whole` in the same order.
 */
function isShortFor(word: string, whole: string): boolean {
  if (word.length < MIN_SHORT_LETTERS || word[0] !== whole[0]) return false;
  let at = 0;
  for (const letter of whole) if (letter === word[at]) at++;
  return at === word.length;
}

/** Returns ` Did you mean …?` with a leading space, or an empty string. */
export function didYouMean(word: string, known: readonly string[]): string {
  const candidate = nearest(word, known);
  return candidate === undefined ? '' : ` Did you mean ${candidate}?`;
}

/**
 * Returns the edit distance, or infinity if the lengths alone differ by more than the limit, because comparing long
 * words is expensive.
 */
function distanceWithin(limit: number, a: string, b: string): number {
  return Math.abs(a.length - b.length) > limit ? Infinity : editDistance(a, b);
}

/** Counts insertions, deletions, replacements and swaps of adjacent letters (edit distance), one row at a time. */
function editDistance(a: string, b: string): number {
  let [before, previous] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = row > 1 && column > 1 && isSwapped ? before[column - 2]! + 1 : Infinity;
      current.push(Math.min(replaced, swapped, previous[column]! + 1, current[column - 1]! + 1));
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length]!;
}
