/**
 * Derives the content of a line, without escape sequences and with tabs expanded, from its bytes or its coloured text.
 * Also returns the parts of a coloured line before and after a given character.
 */
import { cutText } from '../contract/cut-text.js';

const SGR = /\x1b\[[\d;:]*m/g;
/** Erasures to the end of the line, of cells that nothing has been written to. */
const ERASE = /\x1b\[0*K/g;
const ESC = '\x1b';
const RESET = '\x1b[0m';
const TAB_WIDTH = 8;

/** Returns a plain line's bytes as coloured text; `style` is the SGR sequence that it begins with, or empty. */
export function spanToAnsi(bytes: Buffer, style: string): string {
  const raw = bytes.toString('utf8');
  const erased = raw.includes(ESC) ? raw.replace(ERASE, '') : raw;
  const text = erased.includes('\t') ? expandTabs(erased) : erased;
  if (style === '' && !text.includes(ESC)) return text;
  return text === '' ? '' : `${style}${text}${RESET}`;
}

/** Returns a plain line's bytes as text. */
export function spanToText(bytes: Buffer): string {
  const bare = bytes.toString('utf8');
  const raw = bare.includes(ESC) ? bare.replace(ERASE, '').replace(SGR, '') : bare;
  return raw.includes('\t') ? expandTabs(raw) : raw;
}

/** Removes the colours from coloured text. */
export function stripSgr(ansi: string): string {
  return ansi.includes(ESC) ? ansi.replace(SGR, '') : ansi;
}

/** Returns the rest of a coloured line after its first `count` characters, in the style that applies at that point. */
export function ansiFrom(ansi: string, count: number): string {
  if (!ansi.includes(ESC)) return ansi.slice(count);
  const { index, style } = locate(ansi, count);
  const rest = ansi.slice(index);
  return stripSgr(rest) === '' ? '' : style + rest;
}

/** Returns the first `count` characters of a coloured line, in its colours. */
export function ansiUpTo(ansi: string, count: number): string {
  if (ansi.length <= count) return ansi;
  const { index, isStyled } = locate(ansi, count);
  const whole = cutText(ansi, index);
  return isStyled ? `${whole}${RESET}` : whole;
}

/** Returns where the first `count` characters end, the style there, and whether any sequence comes before. */
function locate(ansi: string, count: number): { index: number; style: string; isStyled: boolean } {
  let style = '';
  let seen = 0;
  let at = 0;
  for (const match of ansi.matchAll(SGR)) {
    if (seen + match.index - at > count) break;
    seen += match.index - at;
    at = match.index + match[0].length;
    style = match[0] === RESET ? '' : style + match[0];
  }
  return { index: at + count - seen, style, isStyled: at > 0 };
}

/** Expands tabs, which leave cells unwritten: at the end of a line, they show nothing; within it, spaces. */
function expandTabs(line: string): string {
  let column = 0;
  let result = '';
  let pending = 0;
  for (const part of line.split(/(\t|\x1b\[[\d;:]*m)/)) {
    if (part === '\t') {
      const width = TAB_WIDTH - (column % TAB_WIDTH);
      column += width;
      pending += width;
    } else if (part.startsWith(ESC)) {
      result += part;
    } else if (part !== '') {
      result += ' '.repeat(pending) + part;
      pending = 0;
      column += part.length;
    }
  }
  return result;
}
