/**
 * Selects how much of an output a model is shown: as many lines as a budget of tokens and characters allows, from the
 * start, the end or both. Each gap is reported in its place, with the call that returns the missing lines. Pure, and
 * independent of terminals.
 */
import { LINE_END_TOKENS, tokensOf } from '../history/tokens.js';
import { formatCount, withoutMiddle } from './cut-middle.js';

/** Limits the output that is shown. */
export interface Budget {
  /** Maximum number of tokens, according to our own estimate. */
  readonly maxTokens: number;
  readonly maxChars: number;
}

/** Consecutive lines. */
export interface LineBlock {
  /** Number of the first line. */
  readonly from: number;
  readonly lines: readonly string[];
}

/** A part of an output that was read in order to be shown. */
export interface Excerpt {
  /** The lines that were read, in order and without overlap. */
  readonly pieces: readonly LineBlock[];
  /** The requested range: from line `from` up to, but not including, line `to`. */
  readonly from: number;
  readonly to: number;
}

/** What to keep if not everything fits: the start, the end, or both. */
export type KeptPart = 'start' | 'end' | 'both';

export interface FittedOutput {
  readonly text: string;
  readonly shownLines: number;
  readonly leftOutLines: number;
  /** The first line that was left out, or null if none was. */
  readonly nextLine: number | null;
  /** Whether part of a line was left out because the line itself is too long. */
  readonly hasCutLine: boolean;
}

/**
 * Share of the budget for the start if both ends are shown. Smaller than that of the end, which more often contains the
 * reason for a failure.
 */
const START_SHARE = 1 / 3;
/** Maximum share of the budget for one line among others. */
const LINE_SHARE = 1 / 3;

/**
 * Selects the lines to show.
 *
 * @param budget - Does not include the notes about gaps.
 * @param howToRead - Returns the call that reads the lines from this number on.
 */
export function fitToBudget(
  excerpt: Excerpt,
  { shape, ...budget }: Budget & { readonly shape: KeptPart },
  howToRead: (fromLine: number) => string,
): FittedOutput {
  const count = excerpt.pieces.reduce((sum, { lines }) => sum + lines.length, 0);
  const most = count === 1 ? 1 : LINE_SHARE;
  const all = excerpt.pieces.flatMap(({ from, lines }) =>
    lines.map((text, i) => limited({ line: from + i, text, share: shareOf(text, budget), isCut: false }, most)),
  );
  const shown = pick(all, shape);
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

/**
 * Returns the share of a budget that a line and its line ending use: their share of the tokens or of the characters,
 * whichever is larger.
 */
export function shareOf(text: string, { maxTokens, maxChars }: Budget): number {
  return Math.max((tokensOf(text) + LINE_END_TOKENS) / maxTokens, (text.length + 1) / maxChars);
}

/** Returns how many of the first shares fit into this share of the budget, but at least one. */
export function countWithin(shares: readonly number[], share: number): number {
  let left = share;
  const tooMany = shares.findIndex((one) => (left -= one) < 0);
  return tooMany < 0 ? shares.length : Math.max(1, tooMany);
}

interface Numbered {
  readonly line: number;
  readonly text: string;
  readonly share: number;
  readonly isCut: boolean;
}

/** Shortens a line so that it uses at most the share `most` of the budget. */
function limited(whole: Numbered, most: number): Numbered {
  const { text, share } = whole;
  if (share <= most) return whole;
  const cut = withoutMiddle(text, Math.floor((text.length * most) / share), 'characters of this line');
  return { ...whole, text: cut, share: most, isCut: true };
}

function pick(all: readonly Numbered[], shape: KeptPart): readonly Numbered[] {
  const shares = all.map(({ share }) => share);
  if (shares.reduce((sum, share) => sum + share, 0) <= 1) return all;
  if (shape === 'start') return all.slice(0, countWithin(shares, 1));
  if (shape === 'end') return all.slice(all.length - countWithin([...shares].reverse(), 1));
  const start = countWithin(shares, START_SHARE);
  const end = countWithin(shares.slice(start).reverse(), 1 - START_SHARE);
  return [...all.slice(0, start), ...all.slice(all.length - end)];
}

interface Gap {
  readonly from: number;
  /** Number of the line after the last one. */
  readonly to: number;
}

/** Returns the ranges of requested lines that are not shown. */
function gapsOf(shown: readonly Numbered[], { from, to }: Excerpt): Gap[] {
  const ends = [from, ...shown.map(({ line }) => line + 1)];
  const starts = [...shown.map(({ line }) => line), to];
  return ends.map((end, i) => ({ from: end, to: starts[i]! })).filter((gap) => gap.from < gap.to);
}

function joined(shown: readonly Numbered[], gaps: readonly Gap[], howToRead: (fromLine: number) => string): string {
  const notes = new Map(gaps.map((gap) => [gap.to, gapNote(gap, howToRead)]));
  const last = gaps.at(-1);
  const isAtEnd = last !== undefined && !shown.some(({ line }) => line === last.to);
  const lines = shown.flatMap(({ line, text }) => (notes.has(line) ? [notes.get(line)!, text] : [text]));
  return (isAtEnd ? [...lines, notes.get(last.to)!] : lines).join('\n');
}

function gapNote({ from, to }: Gap, howToRead: (fromLine: number) => string): string {
  const lines = to - from === 1 ? `1 line (${from})` : `${formatCount(to - from)} lines (${from}–${to - 1})`;
  return `[… ${lines} left out; ${howToRead(from)} …]`;
}
