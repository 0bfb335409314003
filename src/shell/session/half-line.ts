/**
 * What somebody has typed at the prompt of a shell that cannot put a line by, since the last Enter: so that it can be
 * typed again. Pure; it knows no shell.
 */

/** Longer ones are pasted, not typed. */
const MAX_BYTES = 4096;

const ENTERS = [0x0a, 0x0d];
/** Ctrl-C and Ctrl-U: the line is thrown away. */
const THROWS_AWAY = [0x03, 0x15];
/** Ctrl-N, Ctrl-P, Ctrl-R and all keys that begin with Escape: what these make of a line, typing them again may not. */
const CANNOT_REPEAT = [0x0e, 0x10, 0x12, 0x1b];

export class HalfLine {
  #bytes: number[] = [];
  #isRepeatable = true;

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.add(bytes);
  }

  /** Gives the lines that Enter ended, without blanks around them; none for those that keys have changed, or are blank. */
  add(bytes: Uint8Array): string[] {
    const entered: string[] = [];
    for (const byte of bytes) {
      if (ENTERS.includes(byte)) entered.push(...this.#text);
      if (ENTERS.includes(byte) || THROWS_AWAY.includes(byte)) this.clear();
      else this.#append(byte);
    }
    return entered;
  }

  clear(): void {
    this.#bytes = [];
    this.#isRepeatable = true;
  }

  /** What typing it again takes; nothing where that would not give the same line. */
  get bytes(): Buffer {
    return Buffer.from(this.#isRepeatable ? this.#bytes : []);
  }

  get #text(): string[] {
    const text = this.bytes.toString('utf8').trim();
    return text === '' || /[\x00-\x1f\x7f]/.test(text) ? [] : [text];
  }

  #append(byte: number): void {
    this.#isRepeatable &&= !CANNOT_REPEAT.includes(byte) && this.#bytes.length < MAX_BYTES;
    if (this.#isRepeatable) this.#bytes.push(byte);
  }
}
