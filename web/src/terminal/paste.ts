/** Pastes text into the emulator without control characters, which would take effect as if they had been typed. */
import type { Terminal } from '@xterm/xterm';

/** All control characters except tab and line endings. ESC could end the brackets that mark text as pasted. */
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Returns pasted text without control characters. Pure. */
export function pastable(text: string): string {
  return text.replace(CONTROLS, '');
}

/** Handles pasting at this place instead of the emulator, which passes control characters on. */
export function pasteSafely(place: HTMLElement, terminal: Pick<Terminal, 'paste'>): void {
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    terminal.paste(pastable(event.clipboardData?.getData('text/plain') ?? ''));
  };
  place.addEventListener('paste', onPaste, { capture: true });
}
