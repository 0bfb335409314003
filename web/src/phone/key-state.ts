/** The keys of the key bar, and the state of its modifiers. Pure. */

export type Modifier = 'ctrl' | 'alt';
/** `once`: for the next key. `held`: until it is tapped again. */
export type Held = 'off' | 'once' | 'held';
export type Modifiers = Readonly<Record<Modifier, Held>>;

export const NO_MODIFIERS: Modifiers = { ctrl: 'off', alt: 'off' };
const AFTER_TAP: Readonly<Record<Held, Held>> = { off: 'once', once: 'held', held: 'off' };

export interface BarKey {
  readonly words: string;
  /** What screen readers say, if it differs. */
  readonly label?: string;
  /** A modifier, a key as the API names it, a character, or `paste`. */
  readonly key: string;
}

/** The first eight fit on a phone; swiping shows the others. */
export const BAR: readonly BarKey[] = [
  { words: 'Esc', label: 'Escape', key: 'escape' },
  { words: 'Tab', key: 'tab' },
  { words: 'Ctrl', key: 'ctrl' },
  { words: '^C', label: 'Ctrl C', key: 'ctrl-c' },
  { words: '←', label: 'Left', key: 'left' },
  { words: '↓', label: 'Down', key: 'down' },
  { words: '↑', label: 'Up', key: 'up' },
  { words: '→', label: 'Right', key: 'right' },
  { words: 'Alt', key: 'alt' },
  { words: '⇧Tab', label: 'Shift Tab', key: 'shift-tab' },
  { words: 'Home', key: 'home' },
  { words: 'End', key: 'end' },
  { words: 'PgUp', label: 'Page up', key: 'pageup' },
  { words: 'PgDn', label: 'Page down', key: 'pagedown' },
  { words: '|', label: 'Pipe', key: '|' },
  { words: '/', label: 'Slash', key: '/' },
  { words: '~', label: 'Tilde', key: '~' },
  { words: '-', label: 'Minus', key: '-' },
  { words: 'Paste', key: 'paste' },
];

export const isModifier = (key: string): key is Modifier => key === 'ctrl' || key === 'alt';
export const isCharacter = (key: string): boolean => [...key].length === 1;
export const isArmed = ({ ctrl, alt }: Modifiers): boolean => ctrl !== 'off' || alt !== 'off';

export function tapped(modifiers: Modifiers, key: Modifier): Modifiers {
  return { ...modifiers, [key]: AFTER_TAP[modifiers[key]] };
}

/** Returns the modifiers after another key. */
export function used({ ctrl, alt }: Modifiers): Modifiers {
  const after = (held: Held): Held => (held === 'once' ? 'off' : held);
  return { ctrl: after(ctrl), alt: after(alt) };
}

/** Returns the key with its modifiers as the API names it, such as `ctrl-alt-up`. */
export function named(key: string, { ctrl, alt }: Modifiers): string {
  const prefix = `${ctrl !== 'off' && !key.startsWith('ctrl-') ? 'ctrl-' : ''}${alt === 'off' ? '' : 'alt-'}`;
  return prefix + (key === ' ' ? 'space' : key);
}
