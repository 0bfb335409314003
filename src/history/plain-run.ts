/**
 * Finds runs of plain lines in output: printable characters, colours (SGR), tabs and erasures of the rest of the line
 * (where nothing is written), each line ended by CR LF. Their appearance is known without a terminal emulator. Examines
 * only bytes; the caller must know whether the terminal's state allows plain lines.
 */
import { isPlain } from './plain-text.js';

/**
 * Longest plain line, in bytes. Longer lines are rare, and the limit bounds how much output must be passed to the
 * emulator again.
 */
const MAX_LINE_BYTES = 4096;
/** Longest SGR sequence that counts as plain: all attributes and two true colours fit. */
const MAX_SGR_BYTES = 64;
const TAB_WIDTH = 8;

/** xterm.js uses this many parameters of a sequence and ignores the rest. */
const MAX_PARAMS = 32;
/** Larger parameters have no meaning; the limit only keeps them from wrapping around to one that does. */
const MAX_PARAM = 0xffff;

/** The style of a run's text, updated as the run is scanned. */
export interface RunStyle {
  reset(): void;
  /** Applies the first `count` parameters of one SGR sequence. */
  apply(params: Int32Array, count: number): void;
  /** Returns the sequence that gives this style to text in the default style; empty for the default style. */
  toSgr(): string;
}

const enum State {
  Text,
  Escape,
  Sgr,
  CarriageReturn,
  Utf8,
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const OPENING_BRACKET = 0x5b;
const ZERO = 0x30;
const NINE = 0x39;
const SEMICOLON = 0x3b;
const FINAL_SGR = 0x6d;
/** Erase in line, to its end. */
const FINAL_EL = 0x4b;

/** The lines that a scan has found, as parallel arrays that the next scan reuses. */
export interface ScannedLines {
  count: number;
  /** Absolute offset of each line's first byte. */
  starts: Float64Array;
  /** Length of each line in bytes, without its CR LF. */
  lengths: Int32Array;
  /** The style that each line begins in, as an SGR sequence, or empty. */
  styles: string[];
}

const NO_STYLE: RunStyle = { reset: () => undefined, apply: () => undefined, toSgr: () => '' };

/**
 * Scans one run: call `begin`, then `scan` for each chunk until it stops early. Chunks may be split at any byte; the
 * state carries over.
 */
export class PlainRunScanner {
  readonly found: ScannedLines = {
    count: 0,
    starts: new Float64Array(0),
    lengths: new Int32Array(0),
    styles: [],
  };
  #state = State.Text;
  #lineStart = 0;
  /** Offset of the CR that may end the line. */
  #crAt = 0;
  #style: RunStyle = NO_STYLE;
  /** The style at the start of the line, and whether it may have changed since. */
  #lineStyle = '';
  #isStyleChanged = false;
  #sgrStart = 0;
  readonly #params = new Int32Array(MAX_PARAMS);
  #paramCount = 0;
  #codePoint = 0;
  /** Smallest code point that needs the announced number of bytes; a smaller one is overlong. */
  #leastCodePoint = 0;
  #continuation = 0;
  /** For lines with tabs only: columns minus bytes, so far. */
  #columnShift = 0;
  #hasTab = false;
  #hasWide = false;
  #cols = 0;
  #tabs = true;
  #isOver = true;

  /** Whether the last scan found something that is not plain. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Offset of the first byte of the unfinished line. */
  get lineStart(): number {
    return this.#lineStart;
  }

  /**
   * Starts a run at a fresh line, in `style`, which the run then updates; `defaultTabs` says whether tab stops are at
   * every eighth column.
   */
  begin(offset: number, cols: number, defaultTabs: boolean, style: RunStyle): void {
    this.#style = style;
    this.#lineStyle = style.toSgr();
    this.#isStyleChanged = false;
    this.#cols = cols;
    this.#tabs = defaultTabs;
    this.#state = State.Text;
    this.#isOver = false;
    this.#startLine(offset);
  }

  /**
   * Scans `bytes` from index `from` on and stores the lines that end there in `found`. `offset` is the absolute offset
   * of `bytes[0]`.
   *
   * @returns The index where it stopped: the end, unless the run is over (`isOver`). In that case, the line that began
   * at `lineStart` is not plain.
   */
  scan(bytes: Uint8Array, from: number, offset: number): number {
    this.#makeRoom(bytes.length - from);
    const words = new Uint32Array(
      bytes.buffer,
      bytes.byteOffset & ~3,
      (bytes.byteLength + (bytes.byteOffset & 3)) >> 2,
    );
    const wordShift = bytes.byteOffset & 3;
    const end = bytes.length;
    let i = from;
    let state = this.#state;
    while (i < end) {
      if (state === State.Text) {
        // Four bytes at once while all are printable ASCII: none below 0x20, none above 0x7e.
        if (((i + wordShift) & 3) === 0) {
          let w = (i + wordShift) >> 2;
          const lastWord = (end + wordShift) >> 2;
          while (w < lastWord) {
            const word = words[w]!;
            if (((word | (word - 0x20202020) | (word + 0x01010101)) & 0x80808080) !== 0) break;
            w++;
          }
          i = (w << 2) - wordShift;
          if (i >= end) break;
        }
        const byte = bytes[i]!;
        if (byte >= 0x20 && byte < 0x7f) {
          i++;
          continue;
        }
        if (byte === CR) {
          this.#crAt = offset + i;
          state = State.CarriageReturn;
        } else if (byte === ESC) {
          this.#sgrStart = offset + i;
          const next = this.#wholeSequence(bytes, i, offset);
          if (next > 0) {
            i = next;
            continue;
          }
          state = State.Escape;
        } else if (byte === TAB) {
          if (!this.#tabs) break;
          this.#tab(offset + i);
        } else if (byte >= 0xc2 && byte < 0xf5) {
          this.#beginCharacter(byte);
          state = State.Utf8;
        } else break;
        i++;
      } else if (state === State.Sgr) {
        const byte = bytes[i]!;
        if (byte >= ZERO && byte <= NINE) this.#digit(byte - ZERO);
        else if (byte === SEMICOLON) this.#nextParam();
        else if (this.#endSequence(byte, offset + i + 1)) state = State.Text;
        else break;
        if (offset + i - this.#sgrStart > MAX_SGR_BYTES) break;
        i++;
      } else if (state === State.CarriageReturn) {
        const byte = bytes[i]!;
        if (byte === LF) {
          if (!this.#endLine(offset + i + 1)) break;
          state = State.Text;
        } else if (byte !== CR) break;
        i++;
      } else if (state === State.Escape) {
        if (bytes[i] !== OPENING_BRACKET) break;
        this.#paramCount = 1;
        this.#params[0] = 0;
        state = State.Sgr;
        i++;
      } else {
        const byte = bytes[i]!;
        if ((byte & 0xc0) !== 0x80) break;
        this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
        i++;
        if (--this.#continuation > 0) continue;
        if (this.#codePoint < this.#leastCodePoint || !isPlain(this.#codePoint)) break;
        state = State.Text;
      }
    }
    this.#state = state;
    this.#isOver = i < end || offset + end - this.#lineStart > MAX_LINE_BYTES;
    return i;
  }

  #beginCharacter(lead: number): void {
    this.#hasWide = true;
    this.#continuation = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    this.#leastCodePoint = lead < 0xe0 ? 0x80 : lead < 0xf0 ? 0x800 : 0x10000;
    this.#codePoint = lead & (0x3f >> this.#continuation);
  }

  /**
   * Fast path: parses the sequence that begins at `at` in one go if it is certainly complete, which is the usual case.
   * Returns the index after it, or 0 if it must be parsed byte by byte.
   */
  #wholeSequence(bytes: Uint8Array, at: number, offset: number): number {
    if (at + MAX_SGR_BYTES >= bytes.length || bytes[at + 1] !== OPENING_BRACKET) return 0;
    const params = this.#params;
    let count = 1;
    let value = 0;
    let byte = 0;
    let i = at + 2;
    for (; i < at + MAX_SGR_BYTES; i++) {
      byte = bytes[i]!;
      if (byte >= ZERO && byte <= NINE) value = Math.min(value * 10 + byte - ZERO, MAX_PARAM);
      else if (byte === SEMICOLON && count < MAX_PARAMS) {
        params[count++ - 1] = value;
        value = 0;
      } else break;
    }
    params[count - 1] = value;
    this.#paramCount = count;
    return this.#endSequence(byte, offset + i + 1) ? i + 1 : 0;
  }

  #digit(value: number): void {
    const at = this.#paramCount - 1;
    if (at < MAX_PARAMS) this.#params[at] = Math.min(this.#params[at]! * 10 + value, MAX_PARAM);
  }

  #nextParam(): void {
    if (this.#paramCount < MAX_PARAMS) this.#params[this.#paramCount] = 0;
    this.#paramCount++;
  }

  /** Applies the sequence that ends in `final`; returns false if it is not allowed in a plain line. */
  #endSequence(final: number, end: number): boolean {
    const isZero = this.#paramCount === 1 && this.#params[0] === 0;
    if (final === FINAL_SGR) {
      this.#isStyleChanged = true;
      if (isZero) this.#style.reset();
      else this.#style.apply(this.#params, Math.min(this.#paramCount, MAX_PARAMS));
    } else if (final !== FINAL_EL || !isZero) return false;
    this.#columnShift -= end - this.#sgrStart;
    return true;
  }

  #startLine(offset: number): void {
    this.#lineStart = offset;
    this.#columnShift = 0;
    this.#hasTab = false;
    this.#hasWide = false;
  }

  /** Records the line up to its CR as found; returns false if it is not plain after all. */
  #endLine(nextLine: number): boolean {
    const length = this.#crAt - this.#lineStart;
    if (length > MAX_LINE_BYTES) return false;
    // A tab stops at the last column instead of wrapping, and counts cells, not characters.
    if (this.#hasTab && (this.#hasWide || length + this.#columnShift >= this.#cols)) return false;
    const found = this.found;
    found.starts[found.count] = this.#lineStart;
    found.lengths[found.count] = length;
    found.styles[found.count] = this.#lineStyle;
    found.count++;
    if (this.#isStyleChanged) {
      this.#lineStyle = this.#style.toSgr();
      this.#isStyleChanged = false;
    }
    this.#startLine(nextLine);
    return true;
  }

  #tab(at: number): void {
    this.#hasTab = true;
    const column = at - this.#lineStart + this.#columnShift;
    this.#columnShift += TAB_WIDTH - (column % TAB_WIDTH) - 1;
  }

  /**
   * Makes room for the lines in a chunk: each takes at least two bytes, except that a line carried over may end in the
   * first byte.
   */
  #makeRoom(byteCount: number): void {
    this.found.count = 0;
    const capacity = (byteCount >> 1) + 2;
    if (this.found.starts.length >= capacity) return;
    this.found.starts = new Float64Array(capacity);
    this.found.lengths = new Int32Array(capacity);
  }
}
