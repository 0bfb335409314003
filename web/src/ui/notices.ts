/** Shows system notifications, if the user wants them, for questions and for the end of long commands. */
import { signal } from '@preact/signals';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { wholeName } from '../store/naming.js';
import { noticesOf } from '../store/notable.js';
import { fleet } from '../store/store.js';

const PLACE = 'tenacitty.notices';
export const wantsNotices = signal(localStorage.getItem(PLACE) === 'on');

export async function askForNotices(): Promise<void> {
  const isWanted = !wantsNotices.peek() && (await Notification.requestPermission()) === 'granted';
  wantsNotices.value = isWanted;
  localStorage.setItem(PLACE, isWanted ? 'on' : 'off');
}

function show(terminal: OverviewTerminal, words: string): void {
  // The notification contains nothing that a program printed.
  new Notification(wholeName(terminal), { body: words, tag: terminal.id });
}

export function watchNotices(): () => void {
  let before = fleet.peek();
  return fleet.subscribe((after) => {
    if (wantsNotices.peek() && document.hidden)
      for (const { terminal, words } of noticesOf(before, after)) show(terminal, words);
    before = after;
  });
}
