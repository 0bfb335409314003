/** Decides how a terminal is shown on a phone: as lines, as a screen, or as a list of commands. */
import { signal } from '@preact/signals';
import { isPhone } from './width.js';

export type Way = 'lines' | 'screen' | 'commands';

/** The view that was chosen for a terminal. It ends when a full-screen program starts or ends. */
const chosen = signal<{ readonly id: string; readonly way: Way } | null>(null);
/** The id of the open terminal, if a full-screen program is running in it. */
const fullScreen = signal('');

export function chooseWay(id: string, way: Way): void {
  chosen.value = { id, way };
}

export function noteFullScreen(id: string, isFullScreen: boolean): void {
  if (isFullScreen === (fullScreen.peek() === id)) return;
  fullScreen.value = isFullScreen ? id : '';
  chosen.value = null;
}

export const isFullScreen = (id: string): boolean => fullScreen.value === id;

/** Returns how this terminal is shown. On a wide window, it is always the screen. */
export function wayOf(id: string): Way {
  if (!isPhone.value) return 'screen';
  return chosen.value?.id === id ? chosen.value.way : isFullScreen(id) ? 'screen' : 'lines';
}
