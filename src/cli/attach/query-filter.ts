/**
 * Removes terminal queries from a program's output. The server has already replied to them, and a reply from the
 * person's own terminal would be typed into the program.
 */
import { isCsiQuery, isStringQuery, mayBecomeQuery } from './terminal-queries.js';
import type { ControlStringKind } from './terminal-queries.js';

const ENQ = 0x05;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const SPACE = 0x20;
const DEL = 0x7f;
const BACKSLASH = 0x5c;
/** The bytes that begin or end a sequence after ESC. As C1 controls, they are 0x40 higher. */
const CSI = 0x5b;
const OSC = 0x5d;
const DCS = 0x50;
const DECID = 0x5a;
const C1_STRING_END = 0x9c;
const C1_OFFSET = 0x40;
const FIRST_C1 = 0x80;
const LAST_C1 = 0x9f;
/** UTF-8 encodes a C1 control as this byte followed by the C1 byte itself. */
const C1_LEAD = 0xc2;
const C1_LEAD_CHARACTER = String.fromCharCode(C1_LEAD);

/** An unfinished sequence that is longer than this, in bytes, passes through. */
const MAX_HELD = 1024;

/**
 * `text`: outside sequences. `lead`: after a byte that can be the first UTF-8 byte of a C1 control. `escape`: after
 * ESC. `csi`: in a control sequence. `string`: in a control string that may be a query. `dropped`: in a control string
 * that is a query. `ended`: after an ESC that has ended a query.
 */
type State = 'text' | 'lead' | 'escape' | 'csi' | 'string' | 'dropped' | 'ended';

/**
 * Filters one stream of output. Everything that is not a query passes through unchanged and immediately, except for an
 * unfinished sequence. A string that both queries and sets (OSC 4) is dropped as a whole.
 */
export class QueryFilter {
  #state: State = 'text';
  #held: number[] = [];
  /** Offset of the sequence's body in the held bytes. */
  #bodyStart = 0;
  #stringKind: ControlStringKind = 'osc';
  /** Number of bytes that the current UTF-8 character still lacks. Those bytes are not C1 controls. */
  #missing = 0;
  #wasLead = false;
  #passed: Buffer = Buffer.alloc(0);
  #passedLength = 0;

  /** Returns the part of `bytes`, and of the bytes held back before, that may be shown. The caller owns the result. */
  push(bytes: Uint8Array): Uint8Array {
    this.#passed = Buffer.allocUnsafe(this.#held.length + bytes.length);
    this.#passedLength = 0;
    for (const byte of bytes) this.#take(byte);
    return this.#passed.subarray(0, this.#passedLength);
  }

  /** Returns the held bytes and resets the filter. Call this when no more output will follow. */
  flush(): Uint8Array {
    const held = Uint8Array.from(this.#held);
    this.#held = [];
    this.#state = 'text';
    this.#missing = 0;
    return held;
  }

  #take(byte: number): void {
    if (this.#state === 'text') this.#takeText(byte);
    else if (this.#state === 'lead') this.#takeAfterLead(byte);
    else if (this.#state === 'escape') this.#takeEscape(byte);
    else if (this.#state === 'csi') this.#takeCsi(byte);
    else if (this.#state === 'string') this.#takeString(byte);
    else if (this.#state === 'dropped') this.#takeDropped(byte);
    else this.#takeAfterEnd(byte);
  }

  #takeText(byte: number): void {
    if (this.#isInsideCharacter(byte)) this.#pass(byte);
    else if (byte === ESC) this.#hold(byte, 'escape');
    else if (byte === C1_LEAD) this.#hold(byte, 'lead');
    else if (byte >= FIRST_C1 && byte <= LAST_C1) this.#takeControl(byte);
    else if (byte !== ENQ) this.#pass(byte);
  }

  /** Tracks UTF-8 characters. Returns whether this byte continues one. */
  #isInsideCharacter(byte: number): boolean {
    if (this.#missing > 0 && byte >= 0x80 && byte < 0xc0) {
      this.#missing--;
      return true;
    }
    this.#missing = byte >= 0xf8 || byte < 0xc0 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    return false;
  }

  #takeAfterLead(byte: number): void {
    this.#missing = 0;
    if (byte >= FIRST_C1 && byte <= LAST_C1) {
      this.#takeControl(byte);
      return;
    }
    this.#release();
    // The continuation of an ordinary character, or an unexpected byte.
    if (byte >= FIRST_C1 && byte < 0xc0) this.#pass(byte);
    else this.#take(byte);
  }

  /** Handles a C1 control. If it is encoded in two bytes, the first is already held. */
  #takeControl(byte: number): void {
    this.#held.push(byte);
    this.#begin(byte - C1_OFFSET);
  }

  #takeEscape(byte: number): void {
    if (byte === ESC || byte >= 0x80 || byte === CAN || byte === SUB) this.#interrupt(byte);
    else {
      this.#held.push(byte);
      if (byte >= SPACE && byte !== DEL) this.#begin(byte);
      else this.#limit();
    }
  }

  /** Begins a sequence. The held bytes end with its introducer, which is passed here as the byte that follows ESC. */
  #begin(introducer: number): void {
    this.#bodyStart = this.#held.length;
    this.#missing = 0;
    if (introducer === CSI) this.#state = 'csi';
    else if (introducer === OSC || introducer === DCS) {
      this.#state = 'string';
      this.#stringKind = introducer === OSC ? 'osc' : 'dcs';
    } else if (introducer === DECID) this.#dropSequence();
    else this.#release();
  }

  #takeCsi(byte: number): void {
    if (byte === ESC || byte >= 0x80 || byte === CAN || byte === SUB) {
      this.#interrupt(byte);
      return;
    }
    this.#held.push(byte);
    if (byte < 0x40 || byte === DEL) this.#limit();
    else if (isCsiQuery(this.#body())) this.#dropSequence();
    else this.#release();
  }

  #takeString(byte: number): void {
    if (byte === CAN || byte === SUB) {
      this.#interrupt(byte);
      return;
    }
    const end = this.#endOfString(byte);
    if (end > 0) this.#endString(byte, end);
    else {
      this.#held.push(byte);
      if (this.#stringKind === 'dcs' && isStringQuery('dcs', this.#body())) this.#drop('dropped');
      else if (!this.#mayBecomeQuery()) this.#release();
      else this.#limit();
    }
  }

  /**
   * Returns how many bytes, up to and including this one, form the terminator of a control string; 0 if the string
   * continues.
   */
  #endOfString(byte: number): number {
    if (byte === ESC || (byte === BEL && this.#stringKind === 'osc')) return 1;
    const isInside = this.#isInsideCharacter(byte);
    if (byte !== C1_STRING_END) return 0;
    if (this.#held.at(-1) === C1_LEAD) return 2;
    return isInside ? 0 : 1;
  }

  #endString(byte: number, bytes: number): void {
    if (bytes === 2) this.#held.pop();
    const isAsking = this.#stringKind === 'osc' && isStringQuery('osc', this.#body());
    if (isAsking) this.#drop('text');
    else {
      if (bytes === 2) this.#held.push(C1_LEAD);
      this.#release();
    }
    if (byte === ESC) this.#hold(byte, isAsking ? 'ended' : 'escape');
    else if (!isAsking) this.#pass(byte);
  }

  /**
   * Returns whether the held string can still become a query. Ignores a lead byte at its end, which can be part of the
   * terminator.
   */
  #mayBecomeQuery(): boolean {
    const body = this.#body();
    return mayBecomeQuery(this.#stringKind, body.endsWith(C1_LEAD_CHARACTER) ? body.slice(0, -1) : body);
  }

  #takeDropped(byte: number): void {
    if (byte === CAN || byte === SUB) this.#interrupt(byte);
    else if (byte === ESC) this.#hold(byte, 'ended');
    else if (!this.#isInsideCharacter(byte) && byte === C1_STRING_END) this.#state = 'text';
    else if (byte === C1_STRING_END && this.#wasLead) this.#state = 'text';
    this.#wasLead = byte === C1_LEAD;
  }

  /**
   * Handles the byte after an ESC that ended a query. A byte that completes the terminator is dropped with the query;
   * with any other byte, the ESC begins a new sequence.
   */
  #takeAfterEnd(byte: number): void {
    if (byte === BACKSLASH) this.#drop('text');
    else {
      this.#state = 'escape';
      this.#takeEscape(byte);
    }
  }

  // --- held bytes -----------------------------------------------------------------------------------

  #hold(byte: number, state: State): void {
    this.#held.push(byte);
    this.#state = state;
  }

  #body(): string {
    return String.fromCharCode(...this.#held.slice(this.#bodyStart).filter((byte) => byte >= SPACE && byte !== DEL));
  }

  /** Drops the sequence, but passes on the control characters in it, because terminals execute those immediately. */
  #dropSequence(): void {
    const controls = this.#held.filter((byte) => byte < SPACE && byte !== ESC && byte !== ENQ);
    this.#drop('text');
    for (const byte of controls) this.#pass(byte);
  }

  #drop(state: State): void {
    this.#held = [];
    this.#state = state;
  }

  #release(): void {
    for (const byte of this.#held) this.#pass(byte);
    this.#drop('text');
  }

  #limit(): void {
    if (this.#held.length >= MAX_HELD) this.#release();
  }

  /** Handles a byte that cuts off the current sequence, which then has no effect. */
  #interrupt(byte: number): void {
    this.#release();
    this.#take(byte);
  }

  #pass(byte: number): void {
    this.#passed[this.#passedLength++] = byte;
  }
}
