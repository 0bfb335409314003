/**
 * Lays out a history as a list of items with heights: heads of sections, blocks of lines, and gaps. Says which items
 * are near the view, and where a line is. Pure; heights that were not measured are estimated.
 */
import { keyOf, type Range, type Section } from './sections.js';

/** Number of lines in a block, which is rendered as a whole. Windows consist of whole blocks. */
export const BLOCK = 50;

export interface Item extends Range {
  readonly kind: 'notice' | 'head' | 'lines' | 'gap';
  /** Index of the section; -1 for the notice, which precedes all sections. */
  readonly section: number;
}

/** The height of a head and of a line in pixels, according to the styles. */
export interface Measures {
  readonly head: number;
  readonly line: number;
}

export interface Measured {
  readonly to: number;
  readonly height: number;
}
/** Measured heights, by `measureKey`. */
export type Heights = ReadonlyMap<number, Measured>;

export interface Layout {
  readonly sections: readonly Section[];
  readonly items: readonly Item[];
  /** Where each item begins, and finally the whole height. */
  readonly tops: Float64Array;
  /** The index of each section's head, by key of the section. */
  readonly heads: ReadonlyMap<string, number>;
}

/** A place in the history that stays valid while the layout changes. */
export interface Anchor {
  readonly section: string;
  /** The line that `delta` is relative to; null for the section's head. */
  readonly line: number | null;
  readonly delta: number;
  /** Whether `delta` is relative to the rendered line, rather than to the height that the layout computes for it. */
  readonly isExact?: boolean;
}

export const measureKey = ({ kind, from }: Pick<Item, 'kind' | 'from'>): number => from * 2 + (kind === 'gap' ? 1 : 0);

/** Height of a gap until it has been measured. */
const GAP_PX = 42;

function heightOf(item: Item, heights: Heights, { head, line }: Measures): number {
  if (item.kind === 'head') return head;
  const known = item.kind === 'notice' ? undefined : heights.get(measureKey(item));
  if (item.kind !== 'lines') return known?.height ?? GAP_PX;
  return known === undefined ? (item.to - item.from + 1) * line : known.height + (item.to - known.to) * line;
}

/** Divides a range into blocks, whose edges do not depend on the range. */
function blocksOf({ from, to }: Range): Range[] {
  const blocks: Range[] = [];
  for (let start = from; start <= to;) {
    const end = Math.min(to, (Math.floor(start / BLOCK) + 1) * BLOCK - 1);
    blocks.push({ from: start, to: end });
    start = end + 1;
  }
  return blocks;
}

/** @param partsOf - Returns the parts of a section that are shown; none if it is folded. */
export function itemsOf(
  sections: readonly Section[],
  partsOf: (section: Section) => readonly Range[],
  hasNotice: boolean,
): Item[] {
  const items: Item[] = hasNotice ? [{ kind: 'notice', section: -1, from: 0, to: 0 }] : [];
  sections.forEach((each, section) => {
    const { from, to } = each;
    items.push({ kind: 'head', section, from, to });
    let before: Range | undefined;
    for (const part of partsOf(each)) {
      if (before !== undefined) items.push({ kind: 'gap', section, from: before.to + 1, to: part.from - 1 });
      for (const block of blocksOf(part)) items.push({ kind: 'lines', section, ...block });
      before = part;
    }
  });
  return items;
}

export function layoutOf(
  sections: readonly Section[],
  items: readonly Item[],
  heights: Heights,
  measures: Measures,
): Layout {
  const tops = new Float64Array(items.length + 1);
  const heads = new Map<string, number>();
  items.forEach((item, index) => {
    tops[index + 1] = tops[index]! + heightOf(item, heights, measures);
    if (item.kind === 'head') heads.set(keyOf(sections[item.section]!), index);
  });
  return { sections, items, tops, heads };
}

export const wholeHeight = ({ tops }: Layout): number => tops.at(-1)!;

/** Returns the last index from `low` to `high` for which `isBefore` holds, or `low` if there is none. */
function lastWhere(low: number, high: number, isBefore: (index: number) => boolean): number {
  let [first, last] = [low, Math.max(low, high)];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if (isBefore(middle)) first = middle;
    else last = middle - 1;
  }
  return first;
}

/** Returns the index of the item at this height. */
export function itemAt({ items, tops }: Layout, top: number): number {
  return lastWhere(0, items.length - 1, (index) => tops[index]! <= top);
}

/** Returns the index of the item that contains the line, or of the head of the folded section that does. */
export function itemOfLine({ items }: Layout, line: number, section?: number): number {
  const index = lastWhere(0, items.length - 1, (each) => items[each]!.from <= line);
  if (section === undefined || items[index]?.section === section) return index;
  // Empty sections begin at the same line as the next one.
  return lastWhere(0, index, (each) => items[each]!.section <= section);
}

/** Returns the height at which a line begins; for a line that is not shown, that of what hides it. */
export function topOfLine(layout: Layout, line: number): number {
  return topInItem(layout, itemOfLine(layout, line), line);
}

function topInItem({ items, tops }: Layout, index: number, line: number): number {
  const item = items[index];
  if (item === undefined) return 0;
  if (item.kind === 'head' || item.kind === 'notice') return tops[index]!;
  const share = Math.min(1, (line - item.from) / (item.to - item.from + 1));
  return tops[index]! + share * (tops[index + 1]! - tops[index]!);
}

/** Returns the place at this height. */
export function anchorAt(layout: Layout, top: number): Anchor | null {
  const index = itemAt(layout, top);
  const item = layout.items[index];
  const section = item && layout.sections[Math.max(0, item.section)];
  if (item === undefined || section === undefined) return null;
  const line = item.kind === 'lines' || item.kind === 'gap' ? item.from : null;
  return { section: keyOf(section), line, delta: top - layout.tops[index]! - (item.section < 0 ? GAP_PX : 0) };
}

/** Returns the height of a place. */
export function topOf(layout: Layout, { section, line, delta }: Anchor): number {
  const head = layout.heads.get(section);
  if (line === null) return (head === undefined ? 0 : layout.tops[head]!) + delta;
  const index = itemOfLine(layout, line, head === undefined ? undefined : layout.items[head]!.section);
  // The line is in a section that has been folded since.
  if (layout.items[index]?.kind === 'head') return layout.tops[index]!;
  return topInItem(layout, index, line) + delta;
}

export interface DrawnItem extends Item {
  readonly height: number;
}

/** A section of which items are rendered, with the height of what is not rendered before and after them. */
export interface Group {
  readonly section: number;
  readonly before: number;
  readonly items: readonly DrawnItem[];
  readonly after: number;
}

/** What is rendered of a layout, from `base` on, and the height of what is left out before and after it. */
export interface Drawn {
  readonly before: number;
  readonly groups: readonly Group[];
  readonly after: number;
}

/** @param limit - Maximum height of what is rendered and left out together. */
export function drawnOf(layout: Layout, first: number, last: number, base: number, limit: number): Drawn {
  const { items, tops, sections } = layout;
  const end = Math.min(wholeHeight(layout), base + limit);
  const groups: Group[] = [];
  let drawn = base;
  for (let index = first; index <= last;) {
    const { section } = items[index]!;
    const begin = index;
    while (index <= last && items[index]!.section === section) index++;
    const head = section < 0 ? begin : layout.heads.get(keyOf(sections[section]!))!;
    const sectionEnd = section + 1 < sections.length ? tops[headAfter(layout, section)]! : wholeHeight(layout);
    if (groups.length === 0) drawn = Math.max(base, tops[head]!);
    const body = Math.max(begin, head + 1);
    const before = Math.max(0, tops[body]! - drawn - (tops[head + 1]! - tops[head]!));
    const after = section < 0 ? 0 : Math.max(0, Math.min(sectionEnd, end) - tops[index]!);
    groups.push({ section, before, items: drawnItems(layout, section < 0 ? begin : body, index), after });
    drawn = tops[index]! + after;
  }
  return { before: groups.length === 0 ? 0 : Math.max(0, beginOf(layout, first) - base), groups, after: end - drawn };
}

function drawnItems({ items, tops }: Layout, first: number, end: number): DrawnItem[] {
  return items.slice(first, end).map((item, index) => {
    const height = tops[first + index + 1]! - tops[first + index]!;
    return { ...item, height };
  });
}

function headAfter({ heads, sections }: Layout, section: number): number {
  return heads.get(keyOf(sections[section + 1]!))!;
}

/** Returns where the section of an item begins. */
function beginOf({ items, tops, heads, sections }: Layout, index: number): number {
  const { section } = items[index]!;
  return section < 0 ? tops[index]! : tops[heads.get(keyOf(sections[section]!))!]!;
}
