/**
 * Passes a program's output on in pieces, and yields to other work in between: on a large screen, two bytes can cause
 * work that takes many milliseconds.
 */

export interface OutputConsumer {
  /** Takes a piece of output, which is valid only during the call. */
  take(bytes: Uint8Array): void;
  /** Returns the size of the screen that shows the bytes. */
  size(): { readonly cols: number; readonly rows: number };
  /**
   * Called when more output has arrived than can be taken in one turn. No more should be added until `onTaken` is
   * called.
   */
  onBehind(): void;
  /** Called when all added output has been taken. */
  onTaken(): void;
}

/**
 * The bytes that can begin a sequence, which can change every cell: ESC, and the first byte of the control characters
 * U+0080 to U+009F in UTF-8, of which U+009B begins a sequence as ESC [ does. In the worst case, in insert mode or by
 * scrolling a region, any other byte changes as many cells as a row or a column has.
 */
const INTRODUCERS = [0x1b, 0xc2];
/**
 * Maximum number of cells that one piece can change. A change takes about 60 ns per cell, so a piece takes at most a
 * tenth of a second.
 */
const CELLS_PER_PIECE = 1_600_000;
/** How long a terminal may take in one turn of the event loop before it starts no further piece. */
const TURN_MS = 10;
/** Maximum pause after a turn. If the process was stopped during a turn, the turn may appear to have taken hours. */
const MAX_PAUSE_MS = 100;

/**
 * When the next turn of any terminal may start. After each turn, other work gets as much time as the turn took.
 * Otherwise, work that takes many short turns, such as scanning all processes, would have to wait once for each of
 * them.
 */
const allTerminals = { nextTurnAt: 0 };

export class PacedOutput {
  readonly #consumer: OutputConsumer;
  readonly #pace: typeof allTerminals;
  #rest: Uint8Array = new Uint8Array(0);
  #timer: NodeJS.Timeout | undefined;
  #isDropped = false;

  /** @param pace - Shared with the terminals that this one takes turns with. Default: all terminals. */
  constructor(consumer: OutputConsumer, pace = allTerminals) {
    this.#consumer = consumer;
    this.#pace = pace;
  }

  /** Whether some output has been added but not yet taken. */
  get isBehind(): boolean {
    return this.#rest.length > 0;
  }

  /** Passes on as much as one turn allows, and the rest in later turns. The caller may reuse `bytes` after the call. */
  add(bytes: Uint8Array): void {
    if (this.#rest.length > 0) this.#rest = Buffer.concat([this.#rest, bytes]);
    else this.#keep(Uint8Array.from(bytes.subarray(this.#takeSome(bytes))));
  }

  /** Like `add`, but passes nothing on before the next turn. */
  addLater(bytes: Uint8Array): void {
    this.#keep(Uint8Array.from(bytes));
  }

  /** Discards the output that has not been taken, and passes no more on. Returns the number of discarded bytes. */
  drop(): number {
    const { length } = this.#rest;
    this.#isDropped = true;
    clearTimeout(this.#timer);
    this.#rest = new Uint8Array(0);
    return length;
  }

  /** Passes nothing on until `resume` is called. Returns the output that has not been taken. */
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
    // Another terminal has had its turn first.
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

/** Returns the index of the `n`th occurrence of a byte, or infinity if there are fewer. */
function indexOfNth(bytes: Uint8Array, byte: number, n: number): number {
  let at = -1;
  for (let left = n; left > 0; left--) {
    at = bytes.indexOf(byte, at + 1);
    if (at < 0) return Infinity;
  }
  return at;
}

/** Returns the text that is shown in place of output that was left out. */
export function omittedNote(bytes: number): Buffer {
  return Buffer.from(`\r\n[${bytes} bytes left out: too slow to render]\r\n`);
}
