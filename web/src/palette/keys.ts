/** Handles the page's keys, which work everywhere except in input fields and in a terminal that this page holds. */
import { effect, signal } from '@preact/signals';
import type { CommandRecord } from '../../../src/contract/command.js';
import { chooseLayout, isRows } from '../home/filter-bar.js';
import { goTo, route } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { needing } from '../store/store.js';
import { asCurl, asMcpCall, nextCommand } from '../terminal/command-list.js';
import { handBack, takeOver, type LiveView } from '../terminal/live-view.js';
import { attempt } from '../terminal/more.js';
import { openView } from '../terminal/terminal-page.js';
import { chosen, copyOutput, jumpTo } from '../terminal/timeline.js';
import { copy } from '../ui/copying.js';
import { switchTheme } from '../ui/theme.js';
import { dialog, openNew, openPalette } from './dialogs.js';
import { actOf, type Act } from './key-map.js';
import { escape, moveOnHome, scrollToEnd } from './moving.js';

const PLACE = 'tenacitty.keys';
export const hasSingleKeys = signal(localStorage.getItem(PLACE) !== 'off');
effect(() => localStorage.setItem(PLACE, hasSingleKeys.value ? 'on' : 'off'));

let before = '';

function focus(selector: string): boolean {
  const place = document.querySelector<HTMLElement>(selector);
  place?.focus();
  return place !== null;
}

/** Only some views have a search field, and only in a wide window. */
function openSearch(): void {
  const field = document.querySelector<HTMLElement>('[data-search]');
  if (field === null || field.offsetParent === null) openPalette();
  else field.focus();
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

function choose(by: 1 | -1, onlyFailed: boolean): boolean {
  const view = openView.peek();
  if (view) chosen.value = nextCommand(view.commands.peek(), chosen.peek(), by, { onlyFailed });
  return view !== null;
}

/** Acts on the open terminal. Returns false if there is none. */
const onView = (act: (view: LiveView) => void) => (): boolean => {
  const view = openView.peek();
  if (view) act(view);
  return view !== null;
};

/** Acts on the chosen command. Returns false if there is none. */
const onCommand = (act: (command: CommandRecord, view: LiveView) => void) => (): boolean => {
  const [view, command] = [openView.peek(), chosenCommand()];
  if (view && command) act(command, view);
  return view !== null && command !== undefined;
};

function goToWay(way: 'terminal' | 'history'): void {
  const { terminal } = route.peek();
  if (terminal !== '') goTo(pathOf(terminal, way));
}

const copyCommandLink = onCommand(({ fromLine, toLine }, { id }) => {
  const lines = toLine === null || toLine <= fromLine ? `#L${fromLine}` : `#L${fromLine}-L${toLine}`;
  void copy(location.origin + pathOf(id, 'history') + lines);
});

function switchLayout(): boolean {
  if (route.peek().view !== 'home') return false;
  chooseLayout(isRows.peek() ? 'tiles' : 'rows');
  return true;
}

/** What each key does. False means that the key has no meaning here, so that the browser handles it. */
const ACTS: Record<Act, () => boolean | void> = {
  palette: openPalette,
  search: openSearch,
  find: () => focus('[data-find]'),
  new: openNew,
  keys: () => void (dialog.value = 'keys'),
  needs: goToNeed,
  home: () => goTo('/'),
  theme: switchTheme,
  live: () => goToWay('terminal'),
  history: () => goToWay('history'),
  next: () => moveOnHome('next') || choose(1, false),
  previous: () => moveOnHome('previous') || choose(-1, false),
  nextFailed: () => choose(1, true),
  previousFailed: () => choose(-1, true),
  up: () => moveOnHome('up'),
  down: () => moveOnHome('down'),
  left: () => moveOnHome('left'),
  right: () => moveOnHome('right'),
  layout: switchLayout,
  escape,
  end: scrollToEnd,
  take: onView(takeOver),
  back: onView(handBack),
  jump: onCommand((command, view) => jumpTo(view, command)),
  copyOutput: onCommand((command) => attempt(copyOutput(command))),
  copyCurl: onCommand(({ text }, { id }) => void copy(asCurl(location.origin, id, text))),
  copyMcp: onCommand(({ text }, { id }) => void copy(asMcpCall(id, text))),
  copyLink: copyCommandLink,
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
  else if (event.key === 'Escape' && (event.target as Element).matches('[data-search], [data-find]')) focus('#main');
  else if (!isTaken(event) && dialog.peek() === null) perform(event);
}

function perform(event: KeyboardEvent): void {
  const act = actOf(event, before, hasSingleKeys.peek());
  before = act === 'g' ? 'g' : '';
  if (act !== null && act !== 'g' && ACTS[act]() !== false) event.preventDefault();
}

export function watchKeys(): () => void {
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
