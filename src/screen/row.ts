/**
 * Converts one row of the emulator's screen to a string, plain or with colours. Reads the emulator's packed cells
 * directly, three words each, because a call for each cell would cost more than the emulation itself.
 */
import { BACKGROUND, CODE_POINT, FOREGROUND, IS_COMBINED, WIDTH_SHIFT, WORDS_PER_CELL } from './internals.js';
import { cellsOf, combinedText, extendedOf, HAS_EXTENDED } from './internals.js';
import type { EmulatorLine, Extended } from './internals.js';
import { BLINK, BOLD, COLOR_RGB, DIM, INVERSE, INVISIBLE, ITALIC, OVERLINE, STRIKETHROUGH, Style } from './style.js';

const SPACE = 0x20;
const MAX_CHARACTER_UNITS = 2;

/** Background bit of text that is protected from selective erasure. */
export const PROTECTED = 0x20000000;
/** Foreground bit of underlined text. */
export const UNDERLINE = 0x10000000;

const FOREGROUND_FLAGS: readonly (readonly [bit: number, flag: number])[] = [
  [0x4000000, INVERSE],
  [0x8000000, BOLD],
  [0x20000000, BLINK],
  [0x40000000, INVISIBLE],
  [0x80000000, STRIKETHROUGH],
];
const BACKGROUND_FLAGS: readonly (readonly [bit: number, flag: number])[] = [
  [0x4000000, ITALIC],
  [0x8000000, DIM],
  [0x40000000, OVERLINE],
];
/** Background bits that change the appearance of text; the protected and extended bits alone do not. */
const VISIBLE_BACKGROUND = ~(HAS_EXTENDED | PROTECTED);

/**
 * Returns the number of columns that belong to a row's text: all columns if the next row continues it, otherwise the
 * columns up to the last one written.
 */
export function rowEnd(line: EmulatorLine, next: EmulatorLine | undefined): number {
  if (next?.isWrapped !== true) return line.getTrimmedLength();
  const last = line.length - 1;
  // A wide character that did not fit has left the last column empty and is on the next row.
  const hasGap = !line.hasContent(last) && line.getWidth(last) === 1 && next.getWidth(0) === 2;
  return hasGap ? last : line.length;
}

/** Returns the text of columns 0 to `end`; a cell that has never been written is a space. */
export function rowText(line: EmulatorLine, end: number): string {
  return textBetween(line, 0, end);
}

/** Returns whether the character in this column consists of several code points. */
export function isCombined(line: EmulatorLine, column: number): boolean {
  return (cellsOf(line)[column * WORDS_PER_CELL]! & IS_COMBINED) !== 0;
}

/** Like `rowText`, but with colours: each change of style is one sequence, and the row ends in the default style. */
export function rowAnsi(line: EmulatorLine, end: number): string {
  if (!isStyled(line, end)) return rowText(line, end);
  let result = '';
  let current = '';
  for (let from = 0; from < end;) {
    const to = sameStyleUntil(line, from, end);
    const sgr = cellStyle(line, from).toSgr();
    if (sgr !== current) result += current === '' ? sgr : `\x1b[0m${sgr}`;
    result += textBetween(line, from, to);
    current = sgr;
    from = to;
  }
  return current === '' ? result : `${result}\x1b[0m`;
}

/** Buffer for the text of one row: its cells and their combining characters. */
let units = new Uint16Array(4096);
let unitBytes = Buffer.from(units.buffer);

/**
 * Builds one flat string. Concatenating cell by cell would keep a tree with as many parts alive for as long as the line
 * is held.
 */
function textBetween(line: EmulatorLine, from: number, to: number): string {
  const data = cellsOf(line);
  let count = 0;
  for (let column = from; column < to;) {
    const content = data[column * WORDS_PER_CELL]!;
    if (count + MAX_CHARACTER_UNITS > units.length) growUnits();
    if ((content & IS_COMBINED) !== 0) count = putText(combinedText(line, column), count);
    else count = putCodePoint(content & CODE_POINT, count);
    column += content >>> WIDTH_SHIFT || 1;
  }
  return unitBytes.toString('utf16le', 0, count * 2);
}

function putCodePoint(codePoint: number, at: number): number {
  if (codePoint > 0xffff) {
    units[at] = 0xd7c0 + (codePoint >>> 10);
    units[at + 1] = 0xdc00 + (codePoint & 0x3ff);
    return at + 2;
  }
  units[at] = codePoint === 0 ? SPACE : codePoint;
  return at + 1;
}

function putText(text: string, at: number): number {
  while (at + text.length + MAX_CHARACTER_UNITS > units.length) growUnits();
  for (let i = 0; i < text.length; i++) units[at + i] = text.charCodeAt(i);
  return at + text.length;
}

function growUnits(): void {
  const grown = new Uint16Array(units.length * 2);
  grown.set(units);
  units = grown;
  unitBytes = Buffer.from(units.buffer);
}

function isStyled(line: EmulatorLine, end: number): boolean {
  const data = cellsOf(line);
  for (let at = 0; at < end * WORDS_PER_CELL; at += WORDS_PER_CELL) {
    if (data[at + FOREGROUND] !== 0 || (data[at + BACKGROUND]! & VISIBLE_BACKGROUND) !== 0) return true;
  }
  return false;
}

function sameStyleUntil(line: EmulatorLine, from: number, end: number): number {
  const data = cellsOf(line);
  const foreground = data[from * WORDS_PER_CELL + FOREGROUND];
  const background = data[from * WORDS_PER_CELL + BACKGROUND];
  let to = from + 1;
  while (to < end) {
    const at = to * WORDS_PER_CELL;
    if (data[at + FOREGROUND] !== foreground || data[at + BACKGROUND] !== background) break;
    if ((background! & HAS_EXTENDED) !== 0 && extendedOf(line, to) !== extendedOf(line, from)) break;
    to++;
  }
  return to;
}

function cellStyle(line: EmulatorLine, column: number): Style {
  const at = column * WORDS_PER_CELL;
  const foreground = cellsOf(line)[at + FOREGROUND]!;
  const background = cellsOf(line)[at + BACKGROUND]!;
  // An underline colour can remain where nothing is underlined.
  const isExtended = (background & HAS_EXTENDED) !== 0 && (foreground & UNDERLINE) !== 0;
  return styleOf(foreground, background, isExtended ? extendedOf(line, column) : undefined);
}

/** Returns the style for the emulator's packed attributes. */
export function styleOf(foreground: number, background: number, extended: Extended | undefined): Style {
  const style = new Style();
  for (const [bit, flag] of FOREGROUND_FLAGS) if ((foreground & bit) !== 0) style.flags |= flag;
  for (const [bit, flag] of BACKGROUND_FLAGS) if ((background & bit) !== 0) style.flags |= flag;
  if ((foreground & UNDERLINE) !== 0) style.underline = extended?.underlineStyle || 1;
  style.foreground = packedColor(foreground);
  style.background = packedColor(background);
  if (extended !== undefined) style.underlineColor = packedColor(extended.underlineColor);
  return style;
}

/** Removes bits of a packed colour that have no meaning for its kind; the emulator packs colours as `Style` does. */
function packedColor(word: number): number {
  const kind = word & COLOR_RGB;
  if (kind === 0) return 0;
  if (kind === COLOR_RGB) return word & (COLOR_RGB | 0xffffff);
  return kind | (word & 255);
}
