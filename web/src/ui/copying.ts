/** Copies text to the clipboard and shows notices, which screen readers also announce. */
import { signal } from '@preact/signals';

/** The latest notice, shown in a status line that screen readers announce. */
export const notice = signal('');
const NOTICE_MS = 4000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function note(words: string): void {
  clearTimeout(timer);
  notice.value = words;
  timer = setTimeout(() => {
    notice.value = '';
  }, NOTICE_MS);
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    note('Copied.');
  } catch {
    note('The browser blocked access to the clipboard.');
  }
}
