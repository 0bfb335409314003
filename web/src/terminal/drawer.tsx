/** Opens and closes the timeline where the window is too narrow to show it all the time, as a drawer. */
import { signal } from '@preact/signals';
import { count } from '../ui/durations.js';
import type { LiveView } from './live-view.js';

export const TIMELINE_ID = 'timeline';
const BUTTON_ID = 'timeline-button';

export const isDrawerOpen = signal(false);

/** Closes the drawer and returns the focus to its button. Does nothing if it is closed. */
export function closeDrawer(): void {
  if (!isDrawerOpen.peek()) return;
  isDrawerOpen.value = false;
  document.getElementById(BUTTON_ID)?.focus();
}

export function DrawerButton({ view }: { view: LiveView }) {
  return (
    <button
      id={BUTTON_ID}
      class="btn only-narrow"
      aria-expanded={isDrawerOpen.value}
      aria-controls={TIMELINE_ID}
      onClick={() => (isDrawerOpen.value = !isDrawerOpen.peek())}
    >
      Commands <span class="dim">{count(view.commands.value.length)}</span>
    </button>
  );
}
