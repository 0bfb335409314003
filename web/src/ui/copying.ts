/** Copies to the clipboard, and announces it to everyone. */
import { signal } from '@preact/signals';

/** The last action, for a status line that screen readers also read. */
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
    note('This browser did not allow to copy.');
  }
}
