/**
 * The key that leaves a terminal: how it is written, and how it is found among what a person's terminal sends.
 * Pure; it knows no terminal.
 */

export interface DetachKey {
  /** As it is shown: `Ctrl-\`. */
  readonly label: string;
  /** Finds it, in any of the forms that terminals send it in. */
  readonly pattern: RegExp;
}

const NAME = /^(?:ctrl-|\^)([a-z\\\]^_])$/i;
const CONTROL_BITS = 0x1f;

/** `ctrl-\`, `ctrl-q` or `^q`; undefined for anything else. Ctrl-[ is Escape, which all longer keys begin with. */
export function readDetachKey(text: string): DetachKey | undefined {
  const letter = NAME.exec(text)?.[1]?.toLowerCase();
  return letter === undefined ? undefined : { label: `Ctrl-${letter.toUpperCase()}`, pattern: patternOf(letter) };
}

/**
 * As a control character, and as programs can ask for it: `CSI code ; 5 u` (kitty; 4 is Ctrl, plus 1, with bits for
 * Caps Lock and Num Lock, and an event that is no release) and `CSI 27 ; 5 ; code ~` (xterm's modifyOtherKeys).
 */
function patternOf(letter: string): RegExp {
  const code = letter.charCodeAt(0);
  const byte = `\\x${(code & CONTROL_BITS).toString(16).padStart(2, '0')}`;
  const kitty = `\\x1b\\[${code}(?::\\d*)*;(?:5|69|133|197)(?::[12])?(?:;[\\d:]*)?u`;
  return new RegExp(`${byte}|${kitty}|\\x1b\\[27;5;${code}~`);
}

export const DEFAULT_DETACH_KEY: DetachKey = readDetachKey('ctrl-\\')!;
