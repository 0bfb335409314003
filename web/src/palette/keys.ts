/** Handles the page's keys, which work everywhere except in input fields and in a terminal that this page holds. */
import { effect, signal } from '@preact/signals';
import { goTo, route } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { needing } from '../store/store.js';
import { asCurl, nextCommand } from '../terminal/command-list.js';
import { handBack, takeOver } from '../terminal/live-view.js';
import { attempt } from '../terminal/more.js';
import { openView } from '../terminal/terminal-page.js';
import { chosen, copyOutput, jumpTo } from '../terminal/timeline.js';
import { copy } from '../ui/copying.js';
import { switchTheme } from '../ui/theme.js';
import { dialog } from './dialogs.js';
import { actOf, type Act } from './key-map.js';

const PLACE = 'tenacitty.keys';
export const hasSingleKeys = signal(localStorage.getItem(PLACE) !== 'off');
effect(() => localStorage.setItem(PLACE, hasSingleKeys.value ? 'on' : 'off'));

let before = '';

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

function chosenCommand() {
  const all = openView.peek()?.commands.peek() ?? [];
  return all.find(({ commandId }) => commandId === chosen.peek()) ?? all.at(-1);
}

function goToNeed(): void {
  const all = needing.peek();
  const place = all.findIndex(({ id }) => id === route.peek().terminal);
  const next = all[(place + 1) % all.length];
  if (next) goTo(pathOf(next.id));
}

function choose(by: 1 | -1, onlyFailed: boolean): void {
  const view = openView.peek();
  if (view) chosen.value = nextCommand(view.commands.peek(), chosen.peek(), by, { onlyFailed });
}

function onView(act: Act): void {
  const view = openView.peek();
  const command = chosenCommand();
  if (act === 'take' && view) takeOver(view);
  else if (act === 'back' && view) handBack(view);
  else if (view && command && act === 'jump') jumpTo(view, command);
  else if (command && act === 'copyOutput') attempt(copyOutput(command));
  else if (view && command && act === 'copyCurl') void copy(asCurl(location.origin, view.id, command.text));
}

function goToWay(way: 'terminal' | 'history'): void {
  const { terminal } = route.peek();
  if (terminal !== '') goTo(pathOf(terminal, way));
}

const ACTS: Partial<Record<Act, () => void>> = {
  palette: () => (dialog.value = 'palette'),
  search: () => focus('[data-search]'),
  find: () => focus('[data-find]'),
  new: () => (dialog.value = 'new'),
  keys: () => (dialog.value = 'keys'),
  needs: goToNeed,
  home: () => goTo('/'),
  theme: switchTheme,
  live: () => goToWay('terminal'),
  history: () => goToWay('history'),
  next: () => choose(1, false),
  previous: () => choose(-1, false),
  nextFailed: () => choose(1, true),
  previousFailed: () => choose(-1, true),
};

/** Returns whether the focused control handles the key itself. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as Element;
  const isHeld = target.closest('.xterm') !== null && openView.peek()?.hold.peek().since !== null;
  if (isHeld || target.matches('input:not([type=checkbox]), select')) return true;
  if (target.matches('textarea') && target.closest('.xterm') === null) return true;
  return event.key === 'Enter' && target.matches('a, button');
}

function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape' && dialog.peek() !== null) dialog.value = null;
  if (isTaken(event) || dialog.peek() !== null) return;
  const act = actOf(event, before, hasSingleKeys.peek());
  before = act === 'g' ? 'g' : '';
  if (act === null || act === 'g') return;
  event.preventDefault();
  (ACTS[act] ?? (() => onView(act)))();
}

export function watchKeys(): () => void {
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
