/** Parses the keys that detach, and finds them in the input of a person's own terminal. Pure. */

/** One or two keys. With two, the first is typed if it is pressed twice, or when any other key follows it. */
export interface DetachKey {
  /** The keys as shown to the person, such as `Ctrl-\` or `Ctrl-P Ctrl-Q`; empty if no key detaches. */
  readonly label: string;
  /** The source of a pattern for each key, in every encoding that terminals send. */
  readonly patterns: readonly string[];
}

const NONE = 'none';
const CTRL = /^(?:ctrl[-+]|\^|c-)([a-z\\\]^_])$/i;
const CHARACTER = /^[a-z0-9]$/i;
const CONTROL_BITS = 0x1f;

/** The key or keys that {@link readDetachKey} accepts, for messages. */
export const EXPECTED_DETACH_KEY =
  'ctrl- followed by a letter or one of \\ ] ^ _, a second key after a comma (ctrl-p,ctrl-q or ctrl-a,d), or none';

/**
 * Parses keys such as `ctrl-\`, `^q`, `ctrl-p,ctrl-q` or `none`; returns undefined for anything else. Rejects Ctrl-[,
 * because it is Escape, which begins the sequences of many other keys.
 */
export function readDetachKey(text: string): DetachKey | undefined {
  if (text === NONE) return { label: '', patterns: [] };
  const [first, second, ...more] = text.split(',').map(keyOf);
  const isControl = first !== undefined && first.label.startsWith('Ctrl-');
  if (!isControl || more.length > 0 || (text.includes(',') && second === undefined)) return undefined;
  const keys = second === undefined ? [first] : [first, second];
  return { label: keys.map(({ label }) => label).join(' '), patterns: keys.map(({ pattern }) => pattern) };
}

function keyOf(text: string): { readonly label: string; readonly pattern: string } | undefined {
  const letter = CTRL.exec(text)?.[1]?.toLowerCase();
  if (letter !== undefined) return { label: `Ctrl-${letter.toUpperCase()}`, pattern: patternOf(letter) };
  return CHARACTER.test(text) ? { label: text, pattern: text } : undefined;
}

/**
 * Returns a pattern that matches the control character and the encodings that programs can request: `CSI code ; 5 u`
 * (kitty; 5 is 4 for Ctrl, plus 1, with further bits for Caps Lock and Num Lock, and an event other than release) and
 * `CSI 27 ; 5 ; code ~` (xterm's modifyOtherKeys).
 */
function patternOf(letter: string): string {
  const code = letter.charCodeAt(0);
  const byte = `\\x${(code & CONTROL_BITS).toString(16).padStart(2, '0')}`;
  const kitty = `\\x1b\\[${code}(?::\\d*)*;(?:5|69|133|197)(?::[12])?(?:;[\\d:]*)?u`;
  return `${byte}|${kitty}|\\x1b\\[27;5;${code}~`;
}

/** What to do with input. */
export interface DetachResult {
  /** What to type. */
  readonly typed: string;
  /** Whether the person wants to detach; everything after the keys is dropped. */
  readonly isLeaving: boolean;
}

/** Finds the detach keys in the input, also if each arrives separately. */
export class DetachFinder {
  readonly #first: RegExp | undefined;
  readonly #second: RegExp | undefined;
  readonly #firstAgain: RegExp | undefined;
  /** The first of two keys, which is held back until the next key. */
  #held = '';

  constructor({ patterns: [first, second] }: DetachKey) {
    this.#first = first === undefined ? undefined : new RegExp(first);
    this.#second = second === undefined ? undefined : new RegExp(`^(?:${second})`);
    this.#firstAgain = first === undefined ? undefined : new RegExp(`^(?:${first})`);
  }

  take(text: string): DetachResult {
    let [typed, rest] = ['', text];
    while (rest !== '') {
      if (this.#held !== '') {
        if (this.#second?.test(rest)) return { typed, isLeaving: true };
        typed += this.#held;
        rest = rest.slice(this.#firstAgain?.exec(rest)?.[0].length ?? 0);
        this.#held = '';
        continue;
      }
      const found = this.#first?.exec(rest);
      if (!found) return { typed: typed + rest, isLeaving: false };
      typed += rest.slice(0, found.index);
      if (this.#second === undefined) return { typed, isLeaving: true };
      this.#held = found[0];
      rest = rest.slice(found.index + found[0].length);
    }
    return { typed, isLeaving: false };
  }
}

/** Returns the keys that the settings name. */
export function detachKeyOf({ detachKey }: { readonly detachKey: string }): DetachKey {
  const keys = readDetachKey(detachKey);
  if (keys === undefined) throw new Error(`The settings accepted a detach key that cannot be read: ${detachKey}`);
  return keys;
}
