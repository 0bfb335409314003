/** Moves the focus by keys: among the terminals of the home page, and into and out of a held terminal. */
import { goTo, route } from '../routing/place.js';
import { openView } from '../terminal/terminal-page.js';
import { focusItem, type Direction } from '../ui/arrow-keys.js';

const ITEMS = '.fleet a.tile, .fleet a.prow, .fleet .trow > a';

/** Moves among the terminals of the home page. Returns false if another view is open. */
export function moveOnHome(direction: Direction): boolean {
  if (route.peek().view !== 'home') return false;
  return focusItem([...document.querySelectorAll<HTMLElement>(ITEMS)], direction);
}

/** Goes back into the held terminal, or clears the filters of the home page. */
export function escape(): boolean {
  const { view, query } = route.peek();
  if (view === 'home' && Object.keys(query).length > 0) goTo('/');
  else return view === 'terminal' && enterHeld();
  return true;
}

function enterHeld(): boolean {
  const open = openView.peek();
  if (open === null || open.hold.peek().since === null) return false;
  // On a phone, a field takes the keys.
  const field = document.querySelector<HTMLElement>('[data-type]');
  if (field) field.focus();
  else open.emulator?.terminal.focus();
  return true;
}

/** Scrolls to the end of the open terminal. */
export function scrollToEnd(): boolean {
  const lines = document.querySelector('.last-lines');
  if (lines) lines.scrollTop = lines.scrollHeight;
  openView.peek()?.emulator?.terminal.scrollToBottom();
  return openView.peek() !== null;
}
