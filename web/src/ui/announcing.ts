/** Tells screen readers about the changes that matter, in the page's one live region. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { announcementsOf } from '../store/announcements.js';
import { wholeName } from '../store/naming.js';
import { fleet } from '../store/store.js';

export const announced = signal('');
/** After this time, the words are removed, so that the same words can be announced again. */
const KEPT_MS = 5000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(words: string): void {
  clearTimeout(timer);
  // Words that have not been read yet must not be lost.
  announced.value = announced.peek() === '' ? words : `${announced.peek()}. ${words}`;
  timer = setTimeout(() => {
    announced.value = '';
  }, KEPT_MS);
}

export function watchAnnouncements(): () => void {
  let before = fleet.peek();
  return fleet.subscribe((after) => {
    for (const words of announcementsOf(before, after)) announce(words);
    before = after;
  });
}

/** Announces when this page begins and ceases to hold the terminal. */
export function useHoldAnnounced(terminal: OverviewTerminal, isMine: boolean): void {
  const name = wholeName(terminal);
  useEffect(() => {
    if (!isMine) return;
    announce(`You hold ${name}`);
    return () => announce(`You no longer hold ${name}`);
  }, [isMine, name]);
}
