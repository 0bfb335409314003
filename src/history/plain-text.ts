/**
 * Defines the characters that a terminal simply prints, regardless of their width. A plain run may contain only these.
 * Characters that join with their neighbours (combining marks, joiners, variation selectors, emoji modifiers, regional
 * indicators, Hangul jamo), format characters and C1 controls are not among them. A test prints every one of them on
 * the emulator.
 */

/** Ranges of code points, both ends included, in ascending order. */
export const plainRanges: readonly (readonly [number, number])[] = [
  [0x00a0, 0x00ac],
  [0x00ae, 0x02ff],
  [0x0370, 0x0373],
  [0x0376, 0x0377],
  [0x0384, 0x038a],
  [0x038e, 0x03a1],
  [0x03a3, 0x0482],
  [0x048a, 0x052f],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x2070, 0x2071],
  [0x2074, 0x208e],
  [0x20a0, 0x20c0],
  [0x2100, 0x218b],
  [0x2190, 0x2426],
  [0x2460, 0x2b73],
  [0x2e80, 0x2e99],
  [0x3000, 0x3029],
  [0x3030, 0x303f],
  [0x3041, 0x3096],
  [0x309b, 0x30ff],
  [0x3105, 0x312f],
  [0x3190, 0x31e3],
  [0x3200, 0xa48c],
  [0xac00, 0xd7a3],
  [0xe000, 0xf8ff],
  [0xff01, 0xff9d],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f3fa],
  [0x1f400, 0x1f64f],
  [0x1f680, 0x1f6d7],
  [0x1f900, 0x1f9ff],
];

/** One bit for each code point below 0x20000. */
const plainBits = new Uint32Array(0x20000 / 32);
for (const [first, last] of plainRanges) {
  for (let code = first; code <= last; code++) plainBits[code >>> 5]! |= 1 << (code & 31);
}

/** Returns whether a terminal simply prints this code point above ASCII. */
export function isPlain(codePoint: number): boolean {
  return codePoint < 0x20000 && (plainBits[codePoint >>> 5]! & (1 << (codePoint & 31))) !== 0;
}
