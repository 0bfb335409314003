/** Tracks which dialog is open. At most one is open at a time. */
import { signal } from '@preact/signals';

export type Dialog = 'palette' | 'keys' | 'new' | 'end';

export const dialog = signal<Dialog | null>(null);

export const openNew = (): void => {
  dialog.value = 'new';
};
export const openPalette = (): void => {
  dialog.value = 'palette';
};
export const closeDialog = (): void => {
  dialog.value = null;
};
