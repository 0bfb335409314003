/** Patterns of names and arguments, matched in time that no pattern can make explode. Pure. */

/** Whether all of `text` fits: `*` stands for any characters, `?` for one, a backslash takes the meaning of the next. */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = partsOf(pattern);
  let [part, at] = [0, 0];
  // Where the last star was, and how far it has reached: a star before it need never be tried again.
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

/** As `matchesGlob`, but nothing stands for a slash. */
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
