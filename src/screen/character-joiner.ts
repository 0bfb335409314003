/**
 * Makes characters of bytes where the emulator would lose some: those whose bytes it is given in two parts (a
 * continuation byte of 0x80 at the end of the first), and bytes that are no UTF-8. It knows nothing of what they mean.
 */
import { cutOffLength } from '../utf8.js';

const NO_BYTES = new Uint8Array(0);
const REPLACEMENT = '\ufffd';
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class CharacterJoiner {
  #held = NO_BYTES;

  /** Whether the beginning of a character is waiting for its rest. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Bytes waiting for the rest of their character. */
  get heldLength(): number {
    return this.#held.length;
  }

  /** What can be passed on now: everything but a character that is cut off at the end. */
  join(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : concat(this.#held, bytes);
    const cut = cutOffLength(all);
    this.#held = cut === 0 ? NO_BYTES : all.slice(all.length - cut);
    return cut === 0 ? all : all.subarray(0, all.length - cut);
  }
}

/** The same, or where some of it is no UTF-8, text in which U+FFFD stands for that. */
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
