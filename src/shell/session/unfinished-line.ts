/**
 * Records what the user has typed at a prompt since the last Enter, so that it can be typed again. Used for shells that
 * cannot park a line. Pure; does not depend on shells.
 */

/** Longer input was pasted, not typed. */
const MAX_BYTES = 4096;

const ENTER_KEYS = [0x0a, 0x0d];
/** Ctrl-C and Ctrl-U discard the line. */
const DISCARDING_KEYS = [0x03, 0x15];
/** Ctrl-N, Ctrl-P, Ctrl-R and all keys that begin with Escape: typing them again may not produce the same line. */
const UNREPEATABLE_KEYS = [0x0e, 0x10, 0x12, 0x1b];

export class UnfinishedLine {
  #bytes: number[] = [];
  #isRepeatable = true;

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.add(bytes);
  }

  /** Returns the lines that Enter ended, trimmed. Blank lines and lines changed by editing keys are left out. */
  add(bytes: Uint8Array): string[] {
    const entered: string[] = [];
    for (const byte of bytes) {
      if (ENTER_KEYS.includes(byte)) entered.push(...this.#text);
      if (ENTER_KEYS.includes(byte) || DISCARDING_KEYS.includes(byte)) this.clear();
      else this.#append(byte);
    }
    return entered;
  }

  clear(): void {
    this.#bytes = [];
    this.#isRepeatable = true;
  }

  /** The bytes that reproduce the line when they are typed again; empty if that is impossible. */
  get bytes(): Buffer {
    return Buffer.from(this.#isRepeatable ? this.#bytes : []);
  }

  get #text(): string[] {
    const text = this.bytes.toString('utf8').trim();
    return text === '' || /[\x00-\x1f\x7f]/.test(text) ? [] : [text];
  }

  #append(byte: number): void {
    this.#isRepeatable &&= !UNREPEATABLE_KEYS.includes(byte) && this.#bytes.length < MAX_BYTES;
    if (this.#isRepeatable) this.#bytes.push(byte);
  }
}
