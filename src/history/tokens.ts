/**
 * Estimates how many tokens a string costs a language model. Counts by kinds of characters, tuned for typical terminal
 * content: words, numbers, paths, hashes, tables, colours, CJK. Pure.
 */

/** Longer strings are estimated from this many characters, taken in equal parts spread over the string. */
const SAMPLE_CHARS = 32 << 10;
const SAMPLE_PARTS = 8;

/**
 * The kinds of characters that form pieces of a string. A piece is of the first kind that its first character belongs
 * to, and ends where that kind ends.
 */
const KINDS = [
  /[A-Za-z]/,
  /\d/,
  /[^\S\n]/,
  /\n/,
  /[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/,
  /[^\x00-\x7f]/,
  /[\x00-\x08\x0b-\x1f\x7f]/,
];
const SPACE = 1 << 2;
const BEYOND_ASCII = 1 << 5;
/** Each of these characters is a separate piece. */
const CONTROL = 1 << 6;
/** For each ASCII character, a bit for each kind that it belongs to. */
const ASCII_KINDS = Uint8Array.from({ length: 0x80 }, (_, code) =>
  KINDS.reduce((bits, kind, i) => (kind.test(String.fromCharCode(code)) ? bits | (1 << i) : bits), 0),
);

/** Cost of the end of a line. */
export const LINE_END_TOKENS = 0.8;

/** Returns the estimated tokens of `text`; takes the same time for any long string. */
export function estimateTokens(text: string): number {
  return Math.ceil(tokensOf(text));
}

/** Like `estimateTokens`, but not rounded, for use in sums. */
export function tokensOf(text: string): number {
  if (text.length <= SAMPLE_CHARS) return countTokenParts(text);
  const partChars = SAMPLE_CHARS / SAMPLE_PARTS;
  const step = Math.floor((text.length - partChars) / (SAMPLE_PARTS - 1));
  let sampled = 0;
  for (let part = 0; part < SAMPLE_PARTS; part++) sampled += countTokenParts(text.substr(part * step, partChars));
  return (sampled / SAMPLE_CHARS) * text.length;
}

function countTokenParts(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const first = text.charCodeAt(at);
    const kinds = kindsOf(first);
    const kind = kinds & -kinds;
    const begun = at++;
    while (kind !== CONTROL && at < text.length && (kindsOf(text.charCodeAt(at)) & kind) !== 0) at++;
    tokens += costOf(first, at - begun);
  }
  return tokens;
}

function kindsOf(code: number): number {
  if (code < 0x80) return ASCII_KINDS[code]!;
  return /\s/.test(String.fromCharCode(code)) ? BEYOND_ASCII | SPACE : BEYOND_ASCII;
}

/** Returns the cost of a piece, based on its first character. */
function costOf(code: number, length: number): number {
  if (code === 0x20) return length === 1 ? 0 : 0.6 + length / 80;
  if (code === 0x0a || code === 0x09) return 0.8;
  if (code >= 0x30 && code <= 0x39) return Math.ceil(length / 3);
  if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return length <= 6 ? 1 : length / 5;
  if (code < 0x80) return length === 1 ? 0.8 : 0.5 + length / 3;
  return length * (code >= 0x2e80 ? 0.75 : 0.9);
}
