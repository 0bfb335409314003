/**
 * Holds the style (SGR state) of text: applies escape sequences as xterm.js does, and serialises the style as a single
 * sequence.
 */

/** Bits for text attributes other than colour. */
export const BOLD = 1;
export const DIM = 2;
export const ITALIC = 4;
export const BLINK = 8;
export const INVERSE = 16;
export const INVISIBLE = 32;
export const STRIKETHROUGH = 64;
export const OVERLINE = 128;

const FLAG_CODES: readonly (readonly [flag: number, on: number])[] = [
  [BOLD, 1],
  [DIM, 2],
  [ITALIC, 3],
  [BLINK, 5],
  [INVERSE, 7],
  [INVISIBLE, 8],
  [STRIKETHROUGH, 9],
  [OVERLINE, 53],
];

/** For each SGR code, the flags that it sets and the flags that it clears. */
const SETS = new Uint8Array(128);
const CLEARS = new Uint8Array(128);
for (const [flag, on] of FLAG_CODES) SETS[on] = flag;
CLEARS[22] = BOLD | DIM;
CLEARS[23] = ITALIC;
CLEARS[25] = BLINK;
CLEARS[27] = INVERSE;
CLEARS[28] = INVISIBLE;
CLEARS[29] = STRIKETHROUGH;
CLEARS[55] = OVERLINE;

/** Packed colours: the kind in the upper bits, the palette number or RGB value in the lower bits. */
export const COLOR_16 = 0x1000000;
export const COLOR_256 = 0x2000000;
export const COLOR_RGB = 0x3000000;
const COLOR_KIND = 0x3000000;

/** One style. Colours are packed, 0 for the default; `underline` is 0 for none, 1 single, 2 double, 3 curly … */
export class Style {
  flags = 0;
  underline = 0;
  foreground = 0;
  background = 0;
  underlineColor = 0;

  reset(): void {
    this.flags = 0;
    this.underline = 0;
    this.foreground = 0;
    this.background = 0;
    this.underlineColor = 0;
  }

  /** Applies the first `count` parameters of one SGR sequence; none of them has subparameters (colons). */
  apply(params: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const code = params[i]!;
      if (code === 38 || code === 48 || code === 58) i += this.#applyColor(code, params, i, count);
      else this.#applyCode(code);
    }
  }

  /** Returns the sequence that gives this style to text in the default style; empty for the default style. */
  toSgr(): string {
    const { flags, underline, foreground, background, underlineColor } = this;
    if ((flags | underline | foreground | background | underlineColor) === 0) return '';
    const codes: (string | number)[] = [];
    for (const [flag, on] of FLAG_CODES) if ((flags & flag) !== 0) codes.push(on);
    if (underline !== 0) codes.push(underline === 1 ? 4 : `4:${underline}`);
    if (foreground !== 0) codes.push(colorCodes(foreground, 38));
    if (background !== 0) codes.push(colorCodes(background, 48));
    if (underlineColor !== 0) codes.push(colorCodes(underlineColor, 58));
    return `\x1b[${codes.join(';')}m`;
  }

  #applyCode(code: number): void {
    if (code === 0) this.reset();
    else if (code >= 30 && code <= 37) this.foreground = COLOR_16 | (code - 30);
    else if (code >= 40 && code <= 47) this.background = COLOR_16 | (code - 40);
    else if (code >= 90 && code <= 97) this.foreground = COLOR_16 | (code - 90) | 8;
    else if (code >= 100 && code <= 107) this.background = COLOR_16 | (code - 100) | 8;
    else if (code === 39) this.foreground = 0;
    else if (code === 49) this.background = 0;
    else if (code === 4) this.underline = 1;
    else if (code === 21) this.underline = 2;
    else if (code === 24) this.underline = 0;
    // The emulator treats "default underline colour" as all bits set, which it then shows as white.
    else if (code === 59) this.underlineColor = COLOR_RGB | 0xffffff;
    else if (code < SETS.length) this.flags = (this.flags | SETS[code]!) & ~CLEARS[code]!;
  }

  /** Applies a 256-colour or true-colour selection at `at`; returns the number of further parameters that it used. */
  #applyColor(target: number, params: Int32Array, at: number, count: number): number {
    const mode = at + 1 < count ? params[at + 1]! : 0;
    const value = (i: number): number => (at + i < count ? params[at + i]! & 255 : 0);
    if (mode === 5) this.#setColor(target, COLOR_256 | value(2));
    else if (mode === 2) this.#setColor(target, COLOR_RGB | (value(2) << 16) | (value(3) << 8) | value(4));
    const used = mode === 5 ? 2 : mode === 2 ? 4 : mode === 0 ? 6 : 5;
    return Math.min(used, count - at);
  }

  #setColor(target: number, color: number): void {
    if (target === 38) this.foreground = color;
    else if (target === 48) this.background = color;
    else this.underlineColor = color;
  }
}

/** SGR parameters for a packed colour that is not the default; `target` is 38, 48 or 58. */
function colorCodes(color: number, target: number): string {
  const kind = color & COLOR_KIND;
  if (kind === COLOR_16) return String(target - 8 + (color & 7) + ((color & 8) !== 0 ? 60 : 0));
  if (kind === COLOR_256) return `${target};5;${color & 255}`;
  return `${target};2;${(color >>> 16) & 255};${(color >>> 8) & 255};${color & 255}`;
}
