/** Maps keys to actions, except in a terminal that this page holds. Pure. */

export type Act =
  | ('palette' | 'search' | 'new' | 'needs' | 'home' | 'theme' | 'keys' | 'take' | 'live' | 'history' | 'find' | 'back')
  | ('next' | 'previous' | 'nextFailed' | 'previousFailed' | 'jump' | 'copyOutput' | 'copyCurl' | 'copyMcp')
  | ('copyLink' | 'end' | 'layout' | 'escape' | 'up' | 'down' | 'left' | 'right');

export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const SINGLE: Readonly<Record<string, Act>> = {
  ...{ '/': 'search', n: 'new', a: 'needs', '?': 'keys', t: 'take', h: 'back', f: 'find', 1: 'live', 2: 'history' },
  ...{
    j: 'next',
    k: 'previous',
    ']': 'nextFailed',
    '[': 'previousFailed',
    o: 'copyOutput',
    c: 'copyCurl',
  },
  ...{ m: 'copyMcp', l: 'copyLink', v: 'layout' },
};
/** Keys that are no characters. They cannot be switched off. */
const NAMED: Readonly<Record<string, Act>> = {
  ...{ Enter: 'jump', End: 'end', Escape: 'escape' },
  ...{ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' },
};
const AFTER_G: Readonly<Record<string, Act>> = { a: 'home', d: 'theme' };

/** Returns the action for the key, or `g` if the key begins a pair. */
export function actOf(pressed: Pressed, before: string, hasSingleKeys: boolean): Act | 'g' | null {
  const { key, ctrlKey, metaKey, altKey } = pressed;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'palette';
  if (ctrlKey || metaKey || altKey) return null;
  if (NAMED[key]) return NAMED[key];
  if (!hasSingleKeys) return null;
  if (before === 'g' && AFTER_G[key]) return AFTER_G[key];
  return key === 'g' ? 'g' : (SINGLE[key] ?? null);
}

/** The content of the dialog that lists the keys. */
export const SHEET: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Anywhere',
    [
      ['Search and commands', '⌘ K or Ctrl K'],
      ['Search', '/'],
      ['New terminal', 'n'],
      ['Next terminal that needs you', 'a'],
      ['All terminals', 'g a'],
      ['Switch between light and dark', 'g d'],
      ['These keys', '?'],
    ],
  ],
  [
    'All terminals',
    [
      ['Next, previous terminal', 'j k'],
      ['Move', '← ↓ ↑ →'],
      ['Open it', 'Enter'],
      ['Tiles or rows', 'v'],
      ['Clear the filters', 'Esc'],
    ],
  ],
  [
    'In a terminal that you are watching',
    [
      ['Take over', 't'],
      ['Next, previous command', 'j k'],
      ['Next, previous failed command', '] ['],
      ['Jump to it', 'Enter'],
      ['Copy its output', 'o'],
      ['Copy as curl', 'c'],
      ['Copy as an MCP call', 'm'],
      ['Copy a link to its output', 'l'],
      ['Go to the end', 'End'],
      ['Live, history', '1 2'],
    ],
  ],
  [
    'In a history',
    [
      ['Search', 'f'],
      ['Next, previous match', 'n N'],
      ['Fold or unfold a section', 'e'],
      ['Copy the chosen lines', 'y'],
      ['Copy a link to the chosen lines', 'l'],
      ['Go to the end', 'End'],
    ],
  ],
  [
    'In a terminal that you hold',
    [
      ['Leave it and use the page’s keys', 'Ctrl ⇧ Space'],
      ['Go back into it after you leave it', 'Esc'],
      ['Hand it back after you leave it', 'h'],
    ],
  ],
];
