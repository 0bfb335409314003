/**
 * Keeps in mind where the escape sequence or control string began that output so far has left unfinished,
 * so that it can be begun anew elsewhere. It knows no emulator but the number of its parser's state.
 */

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
/** Sequences that are not strings are shorter than this; of others, no byte is needed. */
const MAX_KEPT = 256;

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
  #start = new Uint8Array(0);
  #hasActed = false;

  /** To be told after each write: what was written, and the state it has left the parser in. */
  note(written: Uint8Array, state: number): void {
    if (state === GROUND) {
      this.#length = 0;
      return;
    }
    const at = lastIntroducer(written);
    if (at >= 0) {
      this.#length = 0;
      this.#start = new Uint8Array(0);
      this.#hasActed = false;
    }
    this.#add(at < 0 ? written : written.subarray(at), state);
  }

  /** So many of the bytes last written had no effect yet, and can be written again elsewhere. */
  get heldBack(): number {
    return this.#isRepeatable ? this.#length : 0;
  }

  /**
   * Text that begins the sequence elsewhere, where it cannot be given again: because control characters in it
   * have already had their effect, or because it is too long. In the second case it will have no effect.
   */
  get begunAnew(): string {
    if (this.#length === 0 || this.#isRepeatable) return '';
    if (this.#length <= MAX_KEPT) return withoutControls(this.#start);
    return WITHOUT_EFFECT[KINDS[this.#start[1]!] ?? 'other'];
  }

  get #isRepeatable(): boolean {
    return this.#length <= MAX_LENGTH && !this.#hasActed;
  }

  #add(bytes: Uint8Array, state: number): void {
    if (this.#length < MAX_KEPT) {
      const kept = bytes.subarray(0, MAX_KEPT - this.#length);
      this.#start = Buffer.concat([this.#start, kept]);
      // In a string control characters are part of it; elsewhere in a sequence they act as if they stood before.
      const outsideString = state < FIRST_STRING_STATE ? kept : this.#start.subarray(1, 2);
      if (hasControls(outsideString)) this.#hasActed = true;
    }
    this.#length += bytes.length;
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

function withoutControls(bytes: Uint8Array): string {
  return Buffer.from(bytes.filter((byte) => byte >= FIRST_PRINTABLE || byte === ESC)).toString();
}
