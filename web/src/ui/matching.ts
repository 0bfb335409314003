/** Finds the parts of a line that match a search, and splits its runs of text there. Pure. */
import { runsOf, type Run } from './colours.js';

export interface Pattern {
  readonly text: string;
  readonly isRegex: boolean;
  readonly ignoresCase: boolean;
}

/** The characters from `from` up to, but not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface MarkedRun extends Run {
  readonly isMatch: boolean;
}

const MAX_SPANS = 100;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/**
 * Returns whether the browser, unlike the server, could take very long to match the expression: if it repeats a group,
 * or has more than two repetitions without a limit.
 */
export function isCostly(expression: string): boolean {
  return /\)[*+?{]/.test(expression) || (expression.match(/[*+]|,\}/g) ?? []).length > 2;
}

/** Returns the expression to mark matches with, or null if whole lines have to be marked. */
export function expressionOf({ text, isRegex, ignoresCase }: Pattern): RegExp | null {
  if (isRegex && isCostly(text)) return null;
  try {
    return new RegExp(isRegex ? text : text.replace(SPECIAL, '\\$&'), ignoresCase ? 'giu' : 'gu');
  } catch {
    // The syntax of the server, RE2, differs in places.
    return null;
  }
}

export function spansIn(text: string, expression: RegExp): Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(expression)) {
    if (found[0] !== '') spans.push({ from: found.index, to: found.index + found[0].length });
    if (spans.length === MAX_SPANS) break;
  }
  return spans;
}

/** Splits the runs of a line where matches begin and end. */
export function markedRuns(line: string, expression: RegExp): MarkedRun[] {
  const runs = runsOf(line);
  const spans = spansIn(runs.map(({ text }) => text).join(''), expression);
  let start = 0;
  return runs.flatMap((run) => {
    const pieces = piecesOf(run, start, spans);
    start += run.text.length;
    return pieces;
  });
}

function piecesOf(run: Run, start: number, spans: readonly Span[]): MarkedRun[] {
  const end = start + run.text.length;
  const edges = [
    start,
    ...spans.flatMap(({ from, to }) => [from, to]).filter((each) => each > start && each < end),
    end,
  ];
  return edges.slice(1).map((edge, index) => {
    const from = edges[index]!;
    const isMatch = spans.some((span) => span.from <= from && span.to > from);
    return { ...run, text: run.text.slice(from - start, edge - start), isMatch };
  });
}
