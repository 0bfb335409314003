/** Reads one cell of the emulator's screen, and what is needed to redraw it, directly from the packed cells. */
import { BACKGROUND, CODE_POINT, FOREGROUND, IS_COMBINED, WIDTH_SHIFT, WORDS_PER_CELL } from './internals.js';
import { cellsOf, combinedText, extendedOf, HAS_EXTENDED } from './internals.js';
import type { EmulatorLine, Extended } from './internals.js';
import { isErased } from './pen.js';
import type { Pen } from './pen.js';
import { UNDERLINE } from './row.js';
import { COLOR_RGB } from './style.js';

/**
 * `text`: a character. `rest`: the second column of a wide character. `empty`: as left by erasing. `remains`: empty,
 * but in a style that erasing does not leave. `orphan`: the second column of a wide character that no longer exists.
 */
export type CellKind = 'text' | 'rest' | 'empty' | 'remains' | 'orphan';

export function textOf(line: EmulatorLine, column: number): string {
  const content = cellsOf(line)[column * WORDS_PER_CELL]!;
  if ((content & IS_COMBINED) !== 0) return combinedText(line, column);
  return (content & CODE_POINT) === 0 ? '' : String.fromCodePoint(content & CODE_POINT);
}

export function widthOf(line: EmulatorLine, column: number): number {
  return cellsOf(line)[column * WORDS_PER_CELL]! >>> WIDTH_SHIFT;
}

export function penOf(line: EmulatorLine, column: number): Pen {
  const fg = cellsOf(line)[column * WORDS_PER_CELL + FOREGROUND]!;
  const bg = cellsOf(line)[column * WORDS_PER_CELL + BACKGROUND]!;
  return asInCell(fg, bg, extendedOf(line, column));
}

/** Returns attributes without the stored bits that have no effect. */
export function asInCell(fg: number, bg: number, extended: Extended | undefined): Pen {
  const isUnderlined = (fg & UNDERLINE) !== 0;
  const underlineStyle = extended?.underlineStyle || 1;
  const underlineColor = (bg & HAS_EXTENDED) === 0 ? 0 : (extended?.underlineColor ?? 0);
  return {
    fg: withoutRemnants(fg),
    bg: withoutRemnants(isUnderlined ? bg | HAS_EXTENDED : bg & ~HAS_EXTENDED),
    extended: isUnderlined ? { underlineStyle, underlineColor } : undefined,
  };
}

/** Removes the leftover bits of an earlier RGB colour from a palette colour. */
function withoutRemnants(word: number): number {
  return ((word & COLOR_RGB) === COLOR_RGB ? word : word & ~0xffff00) >>> 0;
}

export function kindOf(line: EmulatorLine, column: number): CellKind {
  if (textOf(line, column) !== '') return 'text';
  if (widthOf(line, column) === 0) return column > 0 && widthOf(line, column - 1) === 2 ? 'rest' : 'orphan';
  return isErased(penOf(line, column)) ? 'empty' : 'remains';
}

/** Returns whether this cell has never been written. */
export function isUntouched(line: EmulatorLine, column: number): boolean {
  const at = column * WORDS_PER_CELL;
  const cells = cellsOf(line);
  return cells[at] === 1 << WIDTH_SHIFT && cells[at + FOREGROUND] === 0 && cells[at + BACKGROUND] === 0;
}

export function samePen(one: Pen, other: Pen): boolean {
  return (
    one.fg === other.fg &&
    one.bg === other.bg &&
    one.extended?.underlineStyle === other.extended?.underlineStyle &&
    one.extended?.underlineColor === other.extended?.underlineColor
  );
}
