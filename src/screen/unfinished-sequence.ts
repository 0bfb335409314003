/**
 * Keeps in mind where the escape sequence or control string began that output so far has left unfinished,
 * so that it can be begun anew elsewhere. It knows no emulator but the number of its parser's state.
 */

import { MAX_STRING_BYTES } from './string-limit.js';

/** The emulator's parser outside of all sequences, and where strings (which may be long) begin to be read. */
const GROUND = 0;
const FIRST_STRING_STATE = 7;

const ESC = 0x1b;
const FIRST_PRINTABLE = 0x20;
/** UTF-8 of the C1 controls is this byte and the control's own. */
const C1_LEAD = 0xc2;
/** DCS, SOS, CSI, OSC, PM and APC as single C1 controls. */
const C1_INTRODUCERS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);

/** The longest begin that is given again to whoever takes over. */
const MAX_LENGTH = 64 << 10;
/** Room for a string that is as long as it may be, control characters left out, and what introduces it. */
const MAX_KEPT = MAX_STRING_BYTES + 256;
/** What begins a sequence, in one way or the other. */
const INTRODUCER_LENGTH = 2;
/** So many pieces are kept before they are put together. */
const MAX_PIECES = 256;

/** Begins sequences of each kind that end like the one that was too long, and have no effect. */
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
  /** Without control characters. Only what introduces the sequence, where the rest was given up or is too long. */
  #kept: Buffer[] = [];
  #keptLength = 0;
  #isWhole = true;
  #isCut = false;
  #hasActed = false;

  /**
   * To be told after each write: what was written, the state it has left the parser in, and whether the string that
   * is being read was given up.
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

  /** So many of the bytes last written had no effect yet, and can be written again elsewhere. */
  get heldBack(): number {
    return this.#isRepeatable ? this.#length : 0;
  }

  /**
   * Text that begins the sequence elsewhere, where it cannot be given again: because control characters in it
   * have already had their effect, or because it is too long. In the second case it will have no effect, unless it
   * is too long for nothing but control characters that are no part of it.
   */
  get begunAnew(): string {
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
    // In a string control characters are part of it; elsewhere in a sequence they act as if they stood before.
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

/** Where the last byte stands from which on everything can belong to one sequence; -1 if there is none. */
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

/** A copy. */
function withoutControls(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.filter((byte) => byte >= FIRST_PRINTABLE || byte === ESC));
}
