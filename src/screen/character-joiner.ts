/**
 * Assembles characters from bytes where the emulator would lose some: characters whose bytes arrive in two parts (a
 * continuation byte of 0x80 at the end of the first part), and bytes that are not valid UTF-8. Does not interpret them.
 */
import { cutOffLength } from '../utf8.js';

const NO_BYTES = new Uint8Array(0);
const REPLACEMENT = '\ufffd';
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class CharacterJoiner {
  #held = NO_BYTES;

  /** Whether the start of a character is waiting for its remaining bytes. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Number of bytes waiting for the remaining bytes of their character. */
  get heldLength(): number {
    return this.#held.length;
  }

  /** Returns what can be passed on now: everything except an incomplete character at the end. */
  join(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : concat(this.#held, bytes);
    const cut = cutOffLength(all);
    this.#held = cut === 0 ? NO_BYTES : all.slice(all.length - cut);
    return cut === 0 ? all : all.subarray(0, all.length - cut);
  }
}

/** Returns the bytes or, if some are not valid UTF-8, text with U+FFFD in their place. */
export function withReplacements(bytes: Uint8Array): Uint8Array | string {
  const text = decoder.decode(bytes);
  return text.includes(REPLACEMENT) ? text : bytes;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
