/**
 * Remembers where an unfinished escape sequence or control string began in the output so far, so that it can be
 * restarted in another emulator. All that it uses from the emulator is the number of the parser's state.
 */

import { MAX_STRING_BYTES } from './string-limit.js';

/** Parser states: outside of all sequences, and the first state that reads strings, which may be long. */
const GROUND = 0;
const FIRST_STRING_STATE = 7;

const ESC = 0x1b;
const FIRST_PRINTABLE = 0x20;
/** In UTF-8, a C1 control is this byte, followed by the control's own byte. */
const C1_LEAD = 0xc2;
/** DCS, SOS, CSI, OSC, PM and APC as single C1 controls. */
const C1_INTRODUCERS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);

/** Maximum length of the unfinished part that is repeated to another emulator. */
const MAX_LENGTH = 64 << 10;
/** Space for a string of maximum length, without control characters, and its introducer. */
const MAX_KEPT = MAX_STRING_BYTES + 256;
/** Length of a sequence's introducer, in either form. */
const INTRODUCER_LENGTH = 2;
/** Maximum number of pieces that are kept before they are joined. */
const MAX_PIECES = 256;

/** Starts of sequences of each kind that have no effect; they end like the sequence that was too long. */
const WITHOUT_EFFECT = { csi: '\x1b[0<', osc: '\x1b]6973;', dcs: '\x1bPz', other: '\x1b_' };
const KINDS: Readonly<Record<number, keyof typeof WITHOUT_EFFECT>> = {
  0x5b: 'csi',
  0x9b: 'csi',
  0x5d: 'osc',
  0x9d: 'osc',
  0x50: 'dcs',
  0x90: 'dcs',
};

export class UnfinishedSequence {
  #length = 0;
  /** The sequence without control characters; only its introducer if the rest has been discarded or is too long. */
  #kept: Buffer[] = [];
  #keptLength = 0;
  #isWhole = true;
  #isCut = false;
  #hasActed = false;

  /**
   * Call after each write, with the bytes written, the state that they left the parser in, and whether the string being
   * read has been discarded.
   */
  note(written: Uint8Array, state: number, isCut: boolean): void {
    if (state === GROUND) {
      if (this.#length > 0) this.#begin();
      return;
    }
    const at = lastIntroducer(written);
    if (at >= 0) this.#begin();
    this.#add(at < 0 ? written : written.subarray(at), state);
    this.#isCut = isCut;
    if (isCut || this.#keptLength > MAX_KEPT) this.#keepIntroducer();
  }

  /** Number of bytes at the end of the output that have had no effect yet and can be written again elsewhere. */
  get heldBack(): number {
    return this.#isRepeatable ? this.#length : 0;
  }

  /**
   * Text that restarts the sequence elsewhere if it cannot be repeated, because control characters in it have already
   * taken effect or because it is too long. A sequence that is too long will have no effect, unless only control
   * characters that are not part of it make it too long.
   */
  get restarted(): string {
    if (this.#length === 0 || this.#isRepeatable) return '';
    const kept = Buffer.concat(this.#kept);
    return this.#isWhole ? kept.toString() : WITHOUT_EFFECT[KINDS[kept[1]!] ?? 'other'];
  }

  get #isRepeatable(): boolean {
    return this.#length <= MAX_LENGTH && !this.#isCut && !this.#hasActed;
  }

  #begin(): void {
    this.#length = 0;
    this.#kept = [];
    this.#keptLength = 0;
    this.#isWhole = true;
    this.#isCut = false;
    this.#hasActed = false;
  }

  #add(bytes: Uint8Array, state: number): void {
    // In a string, control characters are part of it; in other sequences, they act as if they came before the sequence.
    const introducing = Math.max(0, INTRODUCER_LENGTH - this.#length);
    const outsideString = state < FIRST_STRING_STATE ? bytes : bytes.subarray(0, introducing);
    if (hasControls(outsideString)) this.#hasActed = true;
    this.#length += bytes.length;
    if (!this.#isWhole) return;
    const kept = withoutControls(bytes);
    this.#kept.push(kept);
    this.#keptLength += kept.length;
    if (this.#kept.length > MAX_PIECES) this.#kept = [Buffer.concat(this.#kept)];
  }

  #keepIntroducer(): void {
    if (!this.#isWhole) return;
    this.#kept = [Buffer.from(Buffer.concat(this.#kept).subarray(0, INTRODUCER_LENGTH))];
    this.#isWhole = false;
  }
}

/** Returns the last position where a sequence that contains all the rest can begin; -1 if there is none. */
function lastIntroducer(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (bytes[at] === ESC) return at;
    if (bytes[at] === C1_LEAD && C1_INTRODUCERS.has(bytes[at + 1] ?? 0)) return at;
  }
  return -1;
}

function hasControls(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < FIRST_PRINTABLE && byte !== ESC);
}

/** Returns a copy of the bytes without control characters. */
function withoutControls(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.filter((byte) => byte >= FIRST_PRINTABLE || byte === ESC));
}
