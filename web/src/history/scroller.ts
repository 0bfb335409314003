/**
 * Connects a history's layout to its scrolling element: decides which items are rendered, keeps the place in view while
 * the layout changes, and shifts what is rendered if the whole would be higher than browsers allow.
 */
import { batch, effect, signal, untracked } from '@preact/signals';
import { anchorAt, itemAt, measureKey, topOf, wholeHeight, type Item } from './layout.js';
import type { Position, Reading } from './reading.js';
import { keyOf, type Section } from './sections.js';

/** Browsers allow about 17 million pixels; what is higher is rendered in parts. */
export const MAX_HEIGHT_PX = 8_000_000;
/** The rendered part is shifted when the view is closer to its edge than this. */
const MARGIN_PX = 1_000_000;
/** Number of screens that are rendered above and below the view. */
const SCREENS = 2;
const END_PX = 4;

export function openScroller(reading: Reading) {
  return {
    reading,
    element: null as HTMLElement | null,
    /** The items that are rendered, and the height where the rendered part begins. */
    shown: signal({ first: 0, last: -1, base: 0 }),
    /** What is in view. */
    top: signal(0),
    height: signal(0),
  };
}
export type Scroller = ReturnType<typeof openScroller>;

/** Returns the height at which the view should begin. */
function wantedTop({ reading, height }: Scroller): number {
  const layout = reading.layout.peek();
  const position = reading.position.peek();
  const end = Math.max(0, wholeHeight(layout) - height.peek());
  return position === 'end' ? end : Math.min(end, Math.max(0, topOf(layout, position)));
}

function baseFor(top: number, whole: number, known: number): number {
  if (whole <= MAX_HEIGHT_PX) return 0;
  const last = whole - MAX_HEIGHT_PX;
  const isNearStart = top < known + MARGIN_PX && known > 0;
  const isNearEnd = top > known + MAX_HEIGHT_PX - MARGIN_PX && known < last;
  const base = isNearStart || isNearEnd || known > last ? top - MAX_HEIGHT_PX / 2 : known;
  return Math.round(Math.min(last, Math.max(0, base)));
}

/** Decides what is rendered whenever the view or the layout changes, before the components render. */
export function watchLayout(scroller: Scroller): () => void {
  return effect(() => {
    void [scroller.reading.layout.value, scroller.reading.position.value, scroller.height.value];
    untracked(() => update(scroller));
  });
}

function update(scroller: Scroller): void {
  const { reading, shown, height } = scroller;
  const layout = reading.layout.peek();
  const top = wantedTop(scroller);
  const around = SCREENS * height.peek();
  const first = itemAt(layout, top - around);
  const last = Math.min(layout.items.length - 1, itemAt(layout, top + height.peek() + around));
  const base = baseFor(top, wholeHeight(layout), shown.peek().base);
  const known = shown.peek();
  batch(() => {
    scroller.top.value = top;
    if (known.first !== first || known.last !== last || known.base !== base) shown.value = { first, last, base };
  });
  const needed = layout.items.slice(first, last + 1).filter(({ kind }) => kind === 'lines');
  reading.windows.need(needed);
}

/** Moves the view to its place after rendering; to a line that was gone to exactly, if it is rendered. */
export function settle(scroller: Scroller): void {
  const { element } = scroller;
  if (element === null) return;
  const wanted = wantedScroll(scroller, element);
  if (Math.abs(element.scrollTop - wanted) >= 1) element.scrollTop = wanted;
}

function wantedScroll(scroller: Scroller, element: HTMLElement): number {
  const { reading, shown } = scroller;
  const position = reading.position.peek();
  if (position === 'end') return element.scrollHeight - element.clientHeight;
  const row = position.isExact === true ? rowOf(element, position.line) : null;
  const wanted =
    row === null ? wantedTop(scroller) - shown.peek().base : element.scrollTop + topIn(element, row) + position.delta;
  return Math.max(0, Math.min(element.scrollHeight - element.clientHeight, wanted));
}

const rowOf = (element: Element, line: number | null): Element | null => element.querySelector(`#L${line}`);

const topIn = (element: Element, child: Element): number =>
  child.getBoundingClientRect().top - element.getBoundingClientRect().top;

function positionAt({ reading, height }: Scroller, top: number): Position {
  const layout = reading.layout.peek();
  const isEnd = top + height.peek() >= wholeHeight(layout) - END_PX;
  return isEnd ? 'end' : (anchorAt(layout, Math.max(0, top)) ?? 'end');
}

/** Takes up that the user has scrolled. */
export function scrolled(scroller: Scroller): void {
  const { element, reading, shown } = scroller;
  if (element === null || Math.abs(wantedScroll(scroller, element) - element.scrollTop) < 1) return;
  reading.position.value = positionAt(scroller, shown.peek().base + element.scrollTop);
}

/** Moves the view so that it begins at this height, or at the end. */
export function moveTo(scroller: Scroller, top: number): void {
  scroller.reading.position.value = positionAt(scroller, top);
  settle(scroller);
}

/** Fixes what is at the top of the view, even at the end. Call it before the user changes what is shown below. */
export function pinTop({ reading, top }: Scroller): void {
  const anchor = anchorAt(reading.layout.peek(), top.peek());
  if (anchor !== null) reading.position.value = anchor;
}

/** Fixes a line where it is in the view, before something changes above it. */
export function pinLine(scroller: Scroller, line: number): void {
  const { element, reading } = scroller;
  const row = element && rowOf(element, line);
  const section = reading.sections.peek().find(({ from, to }) => line >= from && line <= to);
  if (element === null || row === null || section === undefined) return pinTop(scroller);
  reading.position.value = { section: keyOf(section), line, delta: -topIn(element, row), isExact: true };
}

/** Fixes the line at the top of the view, before the heights of all lines change. */
export function pinTopLine(scroller: Scroller): void {
  const { element, reading } = scroller;
  if (element === null || reading.position.peek() === 'end') return;
  const row = [...element.querySelectorAll('.ln')].find((each) => topIn(element, each) >= 0);
  if (row !== undefined) pinLine(scroller, Number(row.id.slice(1)));
}

/** Returns the index of the section at the top of the view. */
export function sectionAtTop({ reading, top }: Scroller): number {
  const layout = reading.layout.peek();
  return Math.max(0, layout.items[itemAt(layout, top.peek())]?.section ?? 0);
}

/** Goes to the head of a section. */
export function goToHead(scroller: Scroller, section: Section): void {
  scroller.reading.position.value = { section: keyOf(section), line: null, delta: 0 };
  settle(scroller);
}

type Measurable = Pick<Item, 'kind' | 'from' | 'to'>;

/** Measures rendered items, and updates the layout when their heights differ from those known. */
export function measuring(reading: Reading) {
  const items = new Map<Element, Measurable>();
  const observer = new ResizeObserver((entries) => {
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      const item = items.get(target);
      const height = borderBoxSize[0]?.blockSize;
      if (item === undefined || height === undefined) continue;
      const known = reading.heights.get(measureKey(item));
      if (known?.to === item.to && Math.abs(known.height - height) < 0.5) continue;
      reading.heights.set(measureKey(item), { to: item.to, height });
      isChanged = true;
    }
    if (isChanged) reading.measured.value++;
  });
  return {
    observe(element: Element, item: Measurable): () => void {
      items.set(element, item);
      observer.observe(element);
      return () => {
        items.delete(element);
        observer.unobserve(element);
      };
    },
    close: () => observer.disconnect(),
  };
}
