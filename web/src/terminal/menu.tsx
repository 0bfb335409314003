/**
 * Renders a button with a small menu. The menu is a popover, so no scrolling container cuts it off, and the browser
 * closes it on Escape and on a click elsewhere.
 */
import { useId, useRef } from 'preact/hooks';
import { Icon } from '../ui/icon.js';

export type MenuItem = readonly [words: string, act: () => void];

/** Height of an item with its share of the padding; the menu opens upwards if it would not fit below. */
const ITEM_PX = 32;
const GAP_PX = 4;

function openNextTo(button: HTMLElement, list: HTMLElement, count: number): void {
  const { top, bottom, right } = button.getBoundingClientRect();
  const isBelow = bottom + GAP_PX + count * ITEM_PX <= innerHeight || top < innerHeight / 2;
  list.style.right = `${Math.max(0, innerWidth - right)}px`;
  list.style.top = isBelow ? `${bottom + GAP_PX}px` : 'auto';
  list.style.bottom = isBelow ? 'auto' : `${innerHeight - top + GAP_PX}px`;
}

function onKey(event: KeyboardEvent): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const at = items.indexOf(document.activeElement as HTMLElement);
  items.at((at + by) % items.length)?.focus();
}

export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const run = (act: () => void) => (): void => {
    list.current?.hidePopover();
    act();
  };
  return (
    <>
      <button
        ref={button}
        class="btn btn-quiet btn-icon"
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        popovertarget={id}
        onClick={() => openNextTo(button.current!, list.current!, items.length)}
      >
        <Icon name="more" />
      </button>
      <div
        {...{ ref: list, id, popover: 'auto' as const, class: 'menu', role: 'menu' as const, 'aria-label': label }}
        onKeyDown={onKey}
        onToggle={({ newState }) => newState === 'open' && list.current?.querySelector('button')?.focus()}
      >
        {items.map(([words, act]) => (
          <button key={words} class="mi" role="menuitem" type="button" onClick={run(act)}>
            {words}
          </button>
        ))}
      </div>
    </>
  );
}
