/**
 * Maps named keys to the bytes that xterm sends for each, with any modifiers, as described by the terminfo entry
 * `xterm-256color`. Pure.
 */
import { invalidInput } from '../../errors.js';
import { nearest } from '../../nearest.js';

export interface KeyModes {
  /** Set by full-screen programs: cursor keys then send ESC O instead of ESC [. */
  readonly applicationCursorKeys: boolean;
}

interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

export const ESC = '\x1b';
const CSI = `${ESC}[`;
const SS3 = `${ESC}O`;

/** CSI letter, or SS3 letter in application mode; with modifiers CSI 1 ; number letter. */
const CURSOR_KEYS = new Map(Object.entries({ up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' }));

/** SS3 letter; with modifiers CSI 1 ; number letter. */
const FIRST_FUNCTION_KEYS = new Map(Object.entries({ f1: 'P', f2: 'Q', f3: 'R', f4: 'S' }));

/** CSI code ~; with modifiers CSI code ; number ~. */
const CODED_KEYS = new Map([
  ...Object.entries({ insert: 2, delete: 3, pageup: 5, pagedown: 6 }),
  ...Object.entries({ f5: 15, f6: 17, f7: 18, f8: 19, f9: 20, f10: 21, f11: 23, f12: 24 }),
]);

/** Keys that are characters: what they send alone, and with ctrl. */
const CHARACTER_KEYS = new Map([
  ['enter', { plain: '\r', ctrl: '\r' }],
  ['tab', { plain: '\t', ctrl: '\t' }],
  ['escape', { plain: ESC, ctrl: ESC }],
  ['space', { plain: ' ', ctrl: '\0' }],
  ['backspace', { plain: '\x7f', ctrl: '\b' }],
]);

const ALIASES = new Map([
  ['return', 'enter'],
  ['esc', 'escape'],
  ['del', 'delete'],
  ['ins', 'insert'],
  ['pgup', 'pageup'],
  ['pgdn', 'pagedown'],
]);

/** In terminfo, F13 to F24 are shift with F1 to F12. */
const SHIFTED_FUNCTION_KEY = /^f(1[3-9]|2[0-4])$/;
const FUNCTION_KEYS_PER_ROW = 12;

/**
 * Characters other than letters that xterm with a US keyboard turns into control characters, in the order of the
 * control characters.
 */
const CTRL_CHARACTERS = new Map([
  ...[' ', '@', '2'].map((key) => [key, '\0'] as const),
  ...['[', '3'].map((key) => [key, ESC] as const),
  ...['\\', '4'].map((key) => [key, '\x1c'] as const),
  ...[']', '5'].map((key) => [key, '\x1d'] as const),
  ...['^', '6'].map((key) => [key, '\x1e'] as const),
  ...['_', '/', '7'].map((key) => [key, '\x1f'] as const),
  ...['?', '8'].map((key) => [key, '\x7f'] as const),
]);

const KEY_NAMES = [
  ...CHARACTER_KEYS.keys(),
  ...CURSOR_KEYS.keys(),
  ...CODED_KEYS.keys(),
  ...FIRST_FUNCTION_KEYS.keys(),
  ...ALIASES.keys(),
];

const ACCEPTED =
  'a single character, or enter, tab, escape, space, backspace, up, down, left, right, home, end, insert, ' +
  'delete, pageup, pagedown, f1 to f24; each may have the prefixes ctrl-, alt-, shift-';

/**
 * Returns the bytes that a keyboard sends for one key, named like `up`, `ctrl-c`, `alt-shift-f5` or `x`. Names and
 * modifiers are accepted in any case and order, single characters exactly as given. Other common notations, such as
 * `Ctrl+C`, `^C` and `ArrowUp`, are accepted too.
 *
 * @param field - The caller's name for the key, for the error.
 * @throws `INVALID_INPUT` if there is no such key, or a terminal has no bytes for it with those modifiers.
 */
export function encodeKey(given: string, modes: KeyModes, field: string): string {
  const encoded = encode(given, modes) ?? encode(translated(given), modes);
  if (encoded !== null) return encoded;
  const suggestion = suggest(given, modes);
  const hint = suggestion === null ? '' : `; did you mean ${JSON.stringify(suggestion)}?`;
  const message = `${JSON.stringify(given)} is not a key${hint}`;
  throw invalidInput({ field, message, given, expected: ACCEPTED });
}

function encode(given: string, modes: KeyModes): string | null {
  const { prefix, key } = splitModifiers(given);
  const has = (modifier: string): boolean => prefix.includes(modifier);
  const modifiers = { shift: has('shift'), alt: has('alt'), ctrl: has('ctrl') };
  return isCharacter(key) ? encodeCharacter(key, modifiers) : encodeNamed(key, modifiers, modes);
}

/** Splits off the modifiers. A trailing dash is the key itself. */
function splitModifiers(given: string): { prefix: string; key: string } {
  const prefix = /^(?:(?:ctrl|alt|shift)-(?=.))*/isu.exec(given)![0];
  return { prefix: prefix.toLowerCase(), key: given.slice(prefix.length) };
}

function isCharacter(key: string): boolean {
  return [...key].length === 1;
}

function encodeCharacter(character: string, { shift, alt, ctrl }: Modifiers): string | null {
  // What shift turns a digit or a sign into depends on the keyboard; the caller can pass the resulting character
  // instead.
  if (shift && character.toUpperCase() === character.toLowerCase()) return null;
  const shifted = shift ? character.toUpperCase() : character;
  const base = ctrl ? controlOf(character) : shifted;
  return base === null ? null : (alt ? ESC : '') + base;
}

function controlOf(character: string): string | null {
  const isLetter = /^[a-z]$/i.test(character);
  return isLetter ? String.fromCharCode(character.charCodeAt(0) & 0x1f) : (CTRL_CHARACTERS.get(character) ?? null);
}

function encodeNamed(given: string, modifiers: Modifiers, modes: KeyModes): string | null {
  const lower = given.toLowerCase();
  const name = ALIASES.get(lower) ?? lower;
  if (SHIFTED_FUNCTION_KEY.test(name)) {
    return encodeNamed(`f${Number(name.slice(1)) - FUNCTION_KEYS_PER_ROW}`, { ...modifiers, shift: true }, modes);
  }
  return encodeCharacterKey(name, modifiers) ?? encodeSequence(name, modifierNumber(modifiers), modes);
}

function encodeCharacterKey(name: string, { shift, alt, ctrl }: Modifiers): string | null {
  const key = CHARACTER_KEYS.get(name);
  if (!key) return null;
  const base = name === 'tab' && shift ? `${CSI}Z` : key[ctrl ? 'ctrl' : 'plain'];
  return (alt ? ESC : '') + base;
}

function encodeSequence(name: string, modifier: number, { applicationCursorKeys }: KeyModes): string | null {
  const isPlain = modifier === NO_MODIFIER;
  const code = CODED_KEYS.get(name);
  if (code !== undefined) return isPlain ? `${CSI}${code}~` : `${CSI}${code};${modifier}~`;
  const letter = CURSOR_KEYS.get(name) ?? FIRST_FUNCTION_KEYS.get(name);
  if (letter === undefined) return null;
  if (!isPlain) return `${CSI}1;${modifier}${letter}`;
  return (applicationCursorKeys || FIRST_FUNCTION_KEYS.has(name) ? SS3 : CSI) + letter;
}

const NO_MODIFIER = 1;

/** Returns xterm's number for modifiers: starts at 1 for none, and adds 1 for shift, 2 for alt, 4 for ctrl. */
function modifierNumber({ shift, alt, ctrl }: Modifiers): number {
  return NO_MODIFIER + Number(shift) + 2 * Number(alt) + 4 * Number(ctrl);
}

/** Modifiers in other notations, as in `Ctrl+C`, `C-c`, `M-x` and `control_c`, each with our name. */
const OTHER_MODIFIERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ctrl|control|c)[-+_ ](?=.)/iu, 'ctrl-'],
  [/^(?:alt|meta|option|m)[-+_ ](?=.)/iu, 'alt-'],
  [/^(?:shift|s)[-+_ ](?=.)/iu, 'shift-'],
  [/^\^(?=.$)/u, 'ctrl-'],
];

/**
 * Translates other notations to ours: those of editors and terminals (`C-c`, `^C`), of other programs (`Ctrl+C`,
 * `page_up`), and of browsers (`ArrowUp`).
 */
function translated(given: string): string {
  for (const [pattern, name] of OTHER_MODIFIERS) {
    const found = pattern.exec(given)?.[0];
    if (found !== undefined) return name + translated(given.slice(found.length));
  }
  return isCharacter(given) ? given : given.replace(/^arrow[-_ ]?/i, '').replace(/[-_ ]/g, '');
}

/** Returns the key that was probably meant, or null. */
function suggest(given: string, modes: KeyModes): string | null {
  const { prefix, key } = splitModifiers(translated(given));
  const name = isCharacter(key) ? key : nearest(key, KEY_NAMES);
  const suggestion = name === undefined ? null : prefix + name;
  return suggestion !== null && encode(suggestion, modes) !== null ? suggestion : null;
}
