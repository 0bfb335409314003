/** Handles keys in a terminal that this page only watches: some scroll, and those that would type explain how to. */
import type { Terminal } from '@xterm/xterm';
import { actOf } from '../palette/key-map.js';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;
type Scrolled = Pick<Terminal, 'scrollPages' | 'scrollToTop' | 'scrollToBottom'>;

const TYPING_KEYS = ['Enter', 'Backspace', 'Delete', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
/** What people press with Ctrl to type into a terminal; a browser has its own meaning for most other letters. */
const TYPING_WITH_CTRL = ['c', 'd', 'z'];

const SCROLLS: Readonly<Record<string, (terminal: Scrolled) => void>> = {
  PageUp: (terminal) => terminal.scrollPages(-1),
  PageDown: (terminal) => terminal.scrollPages(1),
  Home: (terminal) => terminal.scrollToTop(),
  End: (terminal) => terminal.scrollToBottom(),
};

/** Returns whether a terminal would type this key. */
export function wouldType({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  if (metaKey || altKey) return false;
  if (ctrlKey) return !shiftKey && TYPING_WITH_CTRL.includes(key);
  return key.length === 1 || TYPING_KEYS.includes(key);
}

/** @param onTyped - Called after a key that would type and that the page has no use for. */
export function watchedKey(event: KeyboardEvent, terminal: Terminal, onTyped: () => void): void {
  if (event.type !== 'keydown') return;
  const scroll = SCROLLS[event.key];
  if (scroll !== undefined) {
    event.preventDefault();
    return scroll(terminal);
  }
  const isCopying = event.ctrlKey && terminal.hasSelection();
  if (isCopying || !wouldType(event) || actOf(event, '', true) === 'g') return;
  // The page's own keys are handled after this event has left the terminal.
  setTimeout(() => {
    if (!event.defaultPrevented) onTyped();
  });
}
