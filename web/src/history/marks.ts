/** Computes what the ruler of a history shows: failed commands, matches and the selection, as shares of its height. */
import { topOfLine, wholeHeight, type Layout } from './layout.js';
import type { Range } from './sections.js';

/** A stretch of the ruler, from 0 to 1. */
export interface Mark {
  readonly from: number;
  readonly size: number;
}

/** Closer marks are joined: a ruler has no more pixels than this. */
const RESOLUTION = 1 / 1000;

/** Joins marks that overlap or touch. */
export function joinedMarks(marks: readonly Mark[]): Mark[] {
  const joined: Mark[] = [];
  for (const { from, size } of marks) {
    const last = joined.at(-1);
    if (last === undefined || from > last.from + last.size + RESOLUTION) joined.push({ from, size });
    else joined[joined.length - 1] = { from: last.from, size: Math.max(last.size, from + size - last.from) };
  }
  return joined;
}

function markOf(layout: Layout, top: number, end: number): Mark {
  const whole = Math.max(1, wholeHeight(layout));
  return { from: top / whole, size: Math.max(0, end - top) / whole };
}

export function failureMarks(layout: Layout): Mark[] {
  const { sections, items, tops } = layout;
  const marks: Mark[] = [];
  items.forEach((item, index) => {
    const exitCode = item.kind === 'head' ? sections[item.section]?.command?.exitCode : undefined;
    if (exitCode === undefined || exitCode === null || exitCode === 0) return;
    let end = index + 1;
    while (items[end]?.section === item.section) end++;
    marks.push(markOf(layout, tops[index]!, tops[end]!));
  });
  return joinedMarks(marks);
}

/** @param lines - In ascending order. */
export function lineMarks(layout: Layout, lines: readonly number[]): Mark[] {
  return joinedMarks(lines.map((line) => markOf(layout, topOfLine(layout, line), topOfLine(layout, line))));
}

export function rangeMark(layout: Layout, { from, to }: Range): Mark {
  return markOf(layout, topOfLine(layout, from), topOfLine(layout, to + 1));
}
