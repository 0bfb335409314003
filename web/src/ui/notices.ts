/**
 * Shows system notifications, if the user wants them, for questions and for the end of long commands: of all terminals,
 * or of some.
 */
import { signal } from '@preact/signals';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { wholeName } from '../store/naming.js';
import { noticesOf } from '../store/notable.js';
import { fleet } from '../store/store.js';
import { note } from './copying.js';

const PLACE = 'tenacitty.notices';
const SOME_PLACE = 'tenacitty.notices.of';

/** Whether the user wants notifications of all terminals. */
export const wantsNotices = signal(localStorage.getItem(PLACE) === 'on');
/** Ids of the terminals that the user wants notifications of. */
export const noticedTerminals = signal<readonly string[]>(keptIds());

function keptIds(): string[] {
  const text = localStorage.getItem(SOME_PLACE) ?? '';
  return text === '' ? [] : text.split(' ');
}

async function isAllowed(): Promise<boolean> {
  if ((await Notification.requestPermission()) === 'granted') return true;
  note('The browser does not allow notifications from this page.');
  return false;
}

export async function askForNotices(): Promise<void> {
  const isWanted = !wantsNotices.peek() && (await isAllowed());
  wantsNotices.value = isWanted;
  localStorage.setItem(PLACE, isWanted ? 'on' : 'off');
}

/** Turns notifications of one terminal on or off. */
export async function askForNoticesOf(id: string): Promise<void> {
  const others = noticedTerminals.peek().filter((each) => each !== id);
  const isWanted = others.length === noticedTerminals.peek().length && (await isAllowed());
  noticedTerminals.value = isWanted ? [...others, id] : others;
  localStorage.setItem(SOME_PLACE, noticedTerminals.peek().join(' '));
}

function show(terminal: OverviewTerminal, words: string): void {
  // The notification contains nothing that a program printed.
  new Notification(wholeName(terminal), { body: words, tag: terminal.id });
}

export function watchNotices(): () => void {
  let before = fleet.peek();
  return fleet.subscribe((after) => {
    const isWanted = (id: string): boolean => wantsNotices.peek() || noticedTerminals.peek().includes(id);
    if (document.hidden && (wantsNotices.peek() || noticedTerminals.peek().length > 0))
      for (const { terminal, words } of noticesOf(before, after)) if (isWanted(terminal.id)) show(terminal, words);
    before = after;
  });
}
