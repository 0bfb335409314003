/** Parses the detach key, and recognises it in the input of a person's own terminal. Pure. */

export interface DetachKey {
  /** The key as shown to the person, such as `Ctrl-\`. */
  readonly label: string;
  /** Matches the key in every encoding that terminals send. */
  readonly pattern: RegExp;
}

const NAME = /^(?:ctrl-|\^)([a-z\\\]^_])$/i;
const CONTROL_BITS = 0x1f;

/**
 * Parses a key such as `ctrl-\`, `ctrl-q` or `^q`; returns undefined for anything else. Rejects Ctrl-[, because it is
 * Escape, which begins the sequences of many other keys.
 */
export function readDetachKey(text: string): DetachKey | undefined {
  const letter = NAME.exec(text)?.[1]?.toLowerCase();
  return letter === undefined ? undefined : { label: `Ctrl-${letter.toUpperCase()}`, pattern: patternOf(letter) };
}

/**
 * Returns a pattern that matches the control character and the encodings that programs can request: `CSI code ; 5 u`
 * (kitty; 5 is 4 for Ctrl, plus 1, with further bits for Caps Lock and Num Lock, and an event other than release) and
 * `CSI 27 ; 5 ; code ~` (xterm's modifyOtherKeys).
 */
function patternOf(letter: string): RegExp {
  const code = letter.charCodeAt(0);
  const byte = `\\x${(code & CONTROL_BITS).toString(16).padStart(2, '0')}`;
  const kitty = `\\x1b\\[${code}(?::\\d*)*;(?:5|69|133|197)(?::[12])?(?:;[\\d:]*)?u`;
  return new RegExp(`${byte}|${kitty}|\\x1b\\[27;5;${code}~`);
}

export const DEFAULT_DETACH_KEY: DetachKey = readDetachKey('ctrl-\\')!;
