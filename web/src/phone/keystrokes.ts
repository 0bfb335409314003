/** Turns what happens in a text field into what a keyboard would have sent. Pure. */

/** How many characters at the end were replaced, and by what. */
export interface Difference {
  readonly removed: number;
  readonly added: string;
}

/** Compares by characters: a keyboard that suggests words replaces the end of what it has entered. */
export function differenceOf(before: string, after: string): Difference {
  const [old, next] = [[...before], [...after]];
  let same = 0;
  while (same < old.length && old[same] === next[same]) same++;
  return { removed: old.length - same, added: next.slice(same).join('') };
}

export interface FieldKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

interface Field {
  /** Whether each character is sent at once. */
  readonly isByKey: boolean;
  readonly isEmpty: boolean;
  readonly hasSelection: boolean;
}

const ALWAYS: Readonly<Record<string, string>> = { Escape: 'escape', ArrowUp: 'up', ArrowDown: 'down' };
const BY_KEY: Readonly<Record<string, string>> = {
  ...{ ArrowLeft: 'left', ArrowRight: 'right', Home: 'home', End: 'end', PageUp: 'pageup', PageDown: 'pagedown' },
  ...{ Backspace: 'backspace', Delete: 'delete' },
};
/** Keys that edit the field itself: select all, paste, cut. */
const EDITING = ['a', 'v', 'x'];

/**
 * Returns the named key to send for a key pressed in the field, or null if the field handles it. Tab is never sent: it
 * leaves the field.
 */
export function sentFor({ key, ctrlKey, shiftKey, altKey, metaKey }: FieldKey, field: Field): string | null {
  if (metaKey || altKey) return null;
  if (ctrlKey) return shiftKey ? null : controlFor(key.toLowerCase(), field);
  const isEdited = !field.isEmpty;
  return ALWAYS[key] ?? (isEdited && !field.isByKey ? null : BY_KEY[key]) ?? null;
}

function controlFor(key: string, { isByKey, isEmpty, hasSelection }: Field): string | null {
  if (!/^[a-z]$/.test(key) || hasSelection) return null;
  return EDITING.includes(key) && !(isByKey && isEmpty && key !== 'v') ? null : `ctrl-${key}`;
}
