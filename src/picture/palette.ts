/** Maps a style's colours to RGB: the colours of xterm.js, unless a program specifies an RGB value. Pure. */
import { COLOR_16, COLOR_RGB } from '../screen/style.js';

/** Red, green and blue, eight bits each. */
export type Rgb = number;

export const FOREGROUND: Rgb = 0xffffff;
export const BACKGROUND: Rgb = 0x000000;

const NAMED: readonly Rgb[] = [
  ...[0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf],
  ...[0x555753, 0xef2929, 0x8ae234, 0xfce94f, 0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec],
];
const LEVELS = [0, 95, 135, 175, 215, 255];
const FIRST_OF_CUBE = 16;
const FIRST_GREY = 232;
const KIND = COLOR_RGB;

/**
 * @param packed - A colour as encoded in a style; 0 is the default colour, `standard`.
 * @param isBright - Whether the first eight named colours are shown as their bright variants.
 */
export function rgbOf(packed: number, standard: Rgb, isBright = false): Rgb {
  const kind = packed & KIND;
  if (kind === 0) return standard;
  if (kind === COLOR_RGB) return packed & 0xffffff;
  const number = kind === COLOR_16 ? packed & 15 : packed & 255;
  return numbered(isBright && number < 8 ? number + 8 : number);
}

function numbered(number: number): Rgb {
  if (number < FIRST_OF_CUBE) return NAMED[number]!;
  if (number >= FIRST_GREY) return (8 + 10 * (number - FIRST_GREY)) * 0x010101;
  const at = number - FIRST_OF_CUBE;
  const [red, green, blue] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
  return (LEVELS[red]! << 16) | (LEVELS[green]! << 8) | LEVELS[blue]!;
}

/** Returns the average of two colours. */
export function blend(one: Rgb, other: Rgb): Rgb {
  return ((one & 0xfefefe) >>> 1) + ((other & 0xfefefe) >>> 1);
}
