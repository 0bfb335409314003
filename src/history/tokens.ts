/**
 * About how many tokens a text costs a language model. An estimate by the kinds of characters, made to be
 * close on what terminals show: words, numbers, paths, hashes, tables, colours, CJK. Pure.
 */

/** Longer texts are estimated from this many characters, taken in equal parts from all over them. */
const SAMPLE_CHARS = 32 << 10;
const SAMPLE_PARTS = 8;

const PIECES =
  /[A-Za-z]+|\d+|[^\S\n]+|\n+|[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]+|[^\x00-\x7f]+|[\x00-\x08\x0b-\x1f\x7f]/g;

/** Estimated tokens of `text`; costs the same for any long text. */
export function estimateTokens(text: string): number {
  if (text.length <= SAMPLE_CHARS) return Math.ceil(countPieces(text));
  const partChars = SAMPLE_CHARS / SAMPLE_PARTS;
  const step = Math.floor((text.length - partChars) / (SAMPLE_PARTS - 1));
  let sampled = 0;
  for (let part = 0; part < SAMPLE_PARTS; part++) sampled += countPieces(text.substr(part * step, partChars));
  return Math.ceil((sampled / SAMPLE_CHARS) * text.length);
}

function countPieces(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += costOf(piece);
  return tokens;
}

function costOf(piece: string): number {
  const code = piece.charCodeAt(0);
  const { length } = piece;
  if (code === 0x20) return length === 1 ? 0 : 0.6 + length / 80;
  if (code === 0x0a || code === 0x09) return 0.8;
  if (code >= 0x30 && code <= 0x39) return Math.ceil(length / 3);
  if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return length <= 6 ? 1 : length / 5;
  if (code < 0x80) return length === 1 ? 0.8 : 0.5 + length / 3;
  return length * (code >= 0x2e80 ? 0.75 : 0.9);
}
