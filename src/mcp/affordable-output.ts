/**
 * How much of some output a model is shown: as many lines as a number of tokens pays for, from the start, the end or
 * both; what is left out is named where it was, with the call that gives it. Pure; it knows no terminal.
 */
import { LINE_END_TOKENS, tokensOf } from '../history/tokens.js';

/** Consecutive lines. */
export interface Piece {
  /** Number of the first. */
  readonly from: number;
  readonly lines: readonly string[];
}

/** Part of an output, read for being shown. */
export interface Excerpt {
  /** In order, without overlap. */
  readonly pieces: readonly Piece[];
  /** Lines from this number to before `to` were asked for. */
  readonly from: number;
  readonly to: number;
}

/** What stays when not all can: the start, the end, or both. */
export type Shape = 'start' | 'end' | 'both';

export interface Affordable {
  readonly text: string;
  readonly shownLines: number;
  readonly leftOutLines: number;
  /** First line that was left out; null if none was. */
  readonly nextLine: number | null;
  /** Whether part of a line was left out because it alone is too long. */
  readonly hasCutLine: boolean;
}

/** Of what is shown of both ends; the end of an output says more often why. */
const START_SHARE = 1 / 3;
/** No single line takes more. */
const LINE_SHARE = 1 / 3;

/**
 * @param maxTokens - By the house's estimate; what is said of what was left out comes on top.
 * @param howToRead - The call that gives the lines from a number on.
 */
export function afford(
  excerpt: Excerpt,
  { maxTokens, shape }: { readonly maxTokens: number; readonly shape: Shape },
  howToRead: (fromLine: number) => string,
): Affordable {
  const all = excerpt.pieces.flatMap(({ from, lines }) => lines.map((text, i) => numbered(from + i, text, maxTokens)));
  const shown = pick(all, maxTokens, shape);
  const gaps = gapsOf(shown, excerpt);
  const left = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    text: joined(shown, gaps, howToRead),
    shownLines: shown.length,
    leftOutLines: left,
    nextLine: gaps[0]?.from ?? null,
    hasCutLine: shown.some(({ isCut }) => isCut),
  };
}

interface Numbered {
  readonly line: number;
  readonly text: string;
  readonly tokens: number;
  readonly isCut: boolean;
}

function numbered(line: number, text: string, maxTokens: number): Numbered {
  const limit = maxTokens * LINE_SHARE;
  const tokens = tokensOf(text);
  if (tokens <= limit) return { line, text, tokens: tokens + LINE_END_TOKENS, isCut: false };
  return { line, text: cut(text, Math.floor((text.length * limit) / tokens)), tokens: limit, isCut: true };
}

/** Start and end of a line. */
function cut(text: string, chars: number): string {
  const half = Math.floor(chars / 2);
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '');
  return `${start} [… ${inWords(text.length - start.length - end.length)} characters of this line left out …] ${end}`;
}

function pick(all: readonly Numbered[], maxTokens: number, shape: Shape): readonly Numbered[] {
  const total = all.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total <= maxTokens) return all;
  if (shape === 'start') return all.slice(0, countWithin(all, maxTokens));
  if (shape === 'end') return all.slice(all.length - countWithin([...all].reverse(), maxTokens));
  const start = countWithin(all, maxTokens * START_SHARE);
  const end = countWithin(all.slice(start).reverse(), maxTokens * (1 - START_SHARE));
  return [...all.slice(0, start), ...all.slice(all.length - end)];
}

/** How many of the first lines can be paid for; one at least. */
function countWithin(lines: readonly Numbered[], maxTokens: number): number {
  let left = maxTokens;
  const tooMany = lines.findIndex(({ tokens }) => (left -= tokens) < 0);
  return tooMany < 0 ? lines.length : Math.max(1, tooMany);
}

interface Gap {
  readonly from: number;
  /** Behind the last. */
  readonly to: number;
}

/** Where lines that were asked for are not shown. */
function gapsOf(shown: readonly Numbered[], { from, to }: Excerpt): Gap[] {
  const ends = [from, ...shown.map(({ line }) => line + 1)];
  const starts = [...shown.map(({ line }) => line), to];
  return ends.map((end, i) => ({ from: end, to: starts[i]! })).filter((gap) => gap.from < gap.to);
}

function joined(shown: readonly Numbered[], gaps: readonly Gap[], howToRead: (fromLine: number) => string): string {
  const told = new Map(gaps.map((gap) => [gap.to, toldGap(gap, howToRead)]));
  const last = gaps.at(-1);
  const isAtEnd = last !== undefined && !shown.some(({ line }) => line === last.to);
  const lines = shown.flatMap(({ line, text }) => (told.has(line) ? [told.get(line)!, text] : [text]));
  return (isAtEnd ? [...lines, told.get(last.to)!] : lines).join('\n');
}

function toldGap({ from, to }: Gap, howToRead: (fromLine: number) => string): string {
  const lines = to - from === 1 ? `1 line (${from})` : `${inWords(to - from)} lines (${from}–${to - 1})`;
  return `[… ${lines} left out; ${howToRead(from)} …]`;
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}
