/** Matches names and arguments against patterns, without exponential time for any pattern. Pure. */

/**
 * Returns whether the whole string matches: `*` matches any number of characters, `?` one character, and a backslash
 * quotes the next character.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = partsOf(pattern);
  let [part, at] = [0, 0];
  // Where the last star is, and where its match ends for now. Earlier stars never need to be retried.
  let [star, reached] = [-1, 0];
  while (at < text.length) {
    const wanted = parts[part];
    if (wanted === STAR) [star, reached] = [part++, at];
    else if (wanted === ANY || (wanted !== undefined && wanted === text[at])) [part, at] = [part + 1, at + 1];
    else if (star >= 0) [part, at] = [star + 1, ++reached];
    else return false;
  }
  return parts.slice(part).every((rest) => rest === STAR);
}

/** Like `matchesGlob`, but wildcards do not match a slash. */
export function matchesPath(pattern: string, path: string): boolean {
  const [patterns, names] = [pattern.split('/'), path.split('/')];
  return patterns.length === names.length && patterns.every((one, index) => matchesGlob(one, names[index]!));
}

const STAR = Symbol('*');
const ANY = Symbol('?');

function partsOf(pattern: string): (string | symbol)[] {
  const parts: (string | symbol)[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === '\\' && at + 1 < pattern.length) parts.push(pattern[++at]!);
    else parts.push(character === '*' ? STAR : character === '?' ? ANY : character);
  }
  return parts;
}
