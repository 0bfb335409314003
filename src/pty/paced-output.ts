/**
 * Passes a program's output on in pieces and yields to other work in between: on a large screen, two bytes can cause
 * work that takes many milliseconds.
 */

export interface OutputConsumer {
  /** Takes a piece. It is valid only during the call. */
  take(bytes: Uint8Array): void;
  /** Returns the size of the screen that shows the bytes. */
  size(): { readonly cols: number; readonly rows: number };
  /** Called when more output has arrived than can be taken in one turn. No more should be added until `onTaken`. */
  onBehind(): void;
  /** Called when everything has been taken. */
  onTaken(): void;
}

/**
 * The bytes that may begin a sequence, which can change every cell: ESC, and the first byte of the control characters
 * U+0080 to U+009F in UTF-8, of which U+009B begins a sequence as ESC [ does. Any other byte changes at most as many
 * cells as a row or a column has: in insert mode, or by scrolling a region.
 */
const INTRODUCERS = [0x1b, 0xc2];
/** A change takes about 60 ns per cell, so changing this many cells takes at most a tenth of a second. */
const CELLS_PER_PIECE = 1_600_000;
/** How long a terminal may take in one turn of the event loop, in addition to the piece already started. */
const TURN_MS = 10;
/** Maximum pause after a turn. A turn during which the process was stopped may appear to have taken hours. */
const MAX_PAUSE_MS = 100;

/**
 * When the next turn of any terminal may start: after each turn, other work gets the same amount of time. Without this,
 * work that takes many short turns, such as scanning all processes, would have to wait once for each of its turns.
 */
const allTerminals = { nextTurnAt: 0 };

export class PacedOutput {
  readonly #consumer: OutputConsumer;
  readonly #pace: typeof allTerminals;
  #rest: Uint8Array = new Uint8Array(0);
  #timer: NodeJS.Timeout | undefined;
  #isDropped = false;

  /** @param pace - Shared with the terminals with which this one takes turns. Default: all terminals. */
  constructor(consumer: OutputConsumer, pace = allTerminals) {
    this.#consumer = consumer;
    this.#pace = pace;
  }

  /** Whether any output has been added but not yet taken. */
  get isBehind(): boolean {
    return this.#rest.length > 0;
  }

  /** Takes as much as one turn allows, and the rest in later turns. `bytes` may be reused after the call. */
  add(bytes: Uint8Array): void {
    if (this.#rest.length > 0) this.#rest = Buffer.concat([this.#rest, bytes]);
    else this.#keep(Uint8Array.from(bytes.subarray(this.#takeSome(bytes))));
  }

  /** Like `add`, but takes nothing before the next turn. */
  addLater(bytes: Uint8Array): void {
    this.#keep(Uint8Array.from(bytes));
  }

  /** Discards the output not yet taken and takes no more. Returns the number of discarded bytes. */
  drop(): number {
    const { length } = this.#rest;
    this.#isDropped = true;
    clearTimeout(this.#timer);
    this.#rest = new Uint8Array(0);
    return length;
  }

  /** Takes nothing until `resume`. Returns the output not yet taken. */
  suspend(): Buffer {
    clearTimeout(this.#timer);
    return Buffer.from(this.#rest);
  }

  resume(): void {
    if (this.isBehind) this.#timer = setTimeout(() => this.#takeTurn(), this.#pace.nextTurnAt - performance.now());
  }

  #keep(rest: Uint8Array): void {
    if (rest.length === 0 || this.#isDropped) return;
    this.#rest = rest;
    this.#consumer.onBehind();
    this.resume();
  }

  #takeTurn(): void {
    // Another terminal's turn came first.
    if (performance.now() < this.#pace.nextTurnAt) return this.resume();
    const taken = this.#takeSome(this.#rest);
    if (this.#isDropped) return;
    this.#rest = this.#rest.subarray(taken);
    if (this.isBehind) this.resume();
    else this.#consumer.onTaken();
  }

  /** @returns The number of bytes taken. */
  #takeSome(bytes: Uint8Array): number {
    const from = performance.now();
    let now = from;
    let at = 0;
    while (at < bytes.length && !this.#isDropped && now < from + TURN_MS) {
      const to = this.#endOfPiece(bytes, at);
      this.#consumer.take(bytes.subarray(at, to));
      at = to;
      now = performance.now();
    }
    if (at < bytes.length) this.#pace.nextTurnAt = now + Math.min(now - from, MAX_PAUSE_MS);
    return at;
  }

  #endOfPiece(bytes: Uint8Array, from: number): number {
    const { cols, rows } = this.#consumer.size();
    const sequences = Math.floor(CELLS_PER_PIECE / (cols * rows));
    const piece = bytes.subarray(from, from + Math.ceil(CELLS_PER_PIECE / Math.max(cols, rows)));
    const ends = INTRODUCERS.map((byte) => indexOfNth(piece, byte, sequences + 1));
    return from + Math.max(1, Math.min(piece.length, ...ends));
  }
}

/** Returns where a byte occurs for the `n`th time, or infinity. */
function indexOfNth(bytes: Uint8Array, byte: number, n: number): number {
  let at = -1;
  for (let left = n; left > 0; left--) {
    at = bytes.indexOf(byte, at + 1);
    if (at < 0) return Infinity;
  }
  return at;
}

/** Returns the text shown in place of output that was left out. */
export function omittedNote(bytes: number): Buffer {
  return Buffer.from(`\r\n[${bytes} bytes left out: too slow to render]\r\n`);
}
