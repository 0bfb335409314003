/** Moves the focus within a menu, a toolbar or the list of terminals by keys. */

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
export type Direction = 'next' | 'previous' | 'up' | 'down' | 'left' | 'right';

/**
 * Returns the index of the item to move to, or of the first item if none has the focus. Stays at the edges. Pure.
 *
 * @param from - Index of the item that has the focus, or -1.
 */
export function indexFrom(boxes: readonly Box[], from: number, direction: Direction): number {
  const current = boxes[from];
  if (current === undefined) return 0;
  if (direction === 'up' || direction === 'down') return inOtherRow(boxes, from, current, direction === 'down');
  const step = direction === 'next' || direction === 'right' ? 1 : -1;
  return Math.min(boxes.length - 1, Math.max(0, from + step));
}

function inOtherRow(boxes: readonly Box[], from: number, current: Box, isDown: boolean): number {
  const middle = ({ left, right }: Box): number => (left + right) / 2;
  const gap = (each: Box): number => (isDown ? each.top - current.bottom : current.top - each.bottom);
  // Items in the same row overlap by their heights.
  const others = boxes.map((box, index) => ({ box, index })).filter(({ box }) => gap(box) > -1);
  others.sort(
    (a, b) =>
      gap(a.box) - gap(b.box) || Math.abs(middle(a.box) - middle(current)) - Math.abs(middle(b.box) - middle(current)),
  );
  return others[0]?.index ?? from;
}

/** Moves the focus among all items that match, and reports whether there are any. */
export function focusItem(items: readonly HTMLElement[], direction: Direction): boolean {
  const from = items.findIndex((each) => each.contains(document.activeElement));
  const boxes = items.map((each) => each.getBoundingClientRect());
  const next = items[indexFrom(boxes, from, direction)];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

const DOWN: Readonly<Record<string, Direction>> = { ArrowDown: 'next', ArrowUp: 'previous' };
const ACROSS: Readonly<Record<string, Direction>> = { ArrowRight: 'next', ArrowLeft: 'previous' };

/** Handles the arrows, Home and End within an element. */
export function moveFocus(event: KeyboardEvent, selector: string, { isAcross = false } = {}): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(selector)];
  const direction = (isAcross ? ACROSS : DOWN)[event.key];
  const edge = event.key === 'Home' ? items[0] : event.key === 'End' ? items.at(-1) : undefined;
  if (direction === undefined && edge === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (edge) edge.focus();
  else focusItem(items, direction!);
}
