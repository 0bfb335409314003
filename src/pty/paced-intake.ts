/**
 * Hands on what a program writes in pieces, with turns for everything else in between: on a large screen two bytes can be
 * many milliseconds of work. It knows neither the terminal nor what is done with the bytes.
 */

export interface Intake {
  /** Takes a piece. Valid only during the call. */
  take(bytes: Uint8Array): void;
  /** Cells of the screen that the bytes are shown on. */
  cells(): number;
  /** More has come than is taken in a turn; nothing more is wanted until `onTaken`. */
  onBehind(): void;
  /** All was taken. */
  onTaken(): void;
}

const ESC = 0x1b;
/** A sequence can change every cell, at some 60 ns each: so many are at most a tenth of a second. */
const CELLS_PER_PIECE = 1_600_000;
/** What a terminal may take of one turn of the loop, beside the piece that is begun. */
const TURN_MS = 10;
/** What is left for everything else after a turn, at most: one in which the process was stopped may seem to take hours. */
const MAX_PAUSE_MS = 100;

/**
 * When the next turn may be taken, of all terminals together: after each, as much time is left for everything else. What
 * takes many short turns, as looking at all processes does, would otherwise wait as often.
 */
let nextTurnAt = 0;

export class PacedIntake {
  readonly #intake: Intake;
  #rest: Uint8Array = new Uint8Array(0);
  #timer: NodeJS.Timeout | undefined;
  #isDropped = false;

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  /** Whether something was given and not taken yet. */
  get isBehind(): boolean {
    return this.#rest.length > 0;
  }

  /** Takes in as much as one turn allows, and the rest in later ones. `bytes` may be reused after the call. */
  add(bytes: Uint8Array): void {
    if (this.#rest.length > 0) this.#rest = Buffer.concat([this.#rest, bytes]);
    else this.#keep(Uint8Array.from(bytes.subarray(this.#takeSome(bytes))));
  }

  /** As `add`, but takes nothing before the next turn. */
  addLater(bytes: Uint8Array): void {
    this.#keep(Uint8Array.from(bytes));
  }

  /** Forgets what was not taken, and takes no more; gives how many bytes that were. */
  drop(): number {
    const { length } = this.#rest;
    this.#isDropped = true;
    clearTimeout(this.#timer);
    this.#rest = new Uint8Array(0);
    return length;
  }

  /** Takes nothing until `goOn`; gives what was not taken. */
  suspend(): Buffer {
    clearTimeout(this.#timer);
    return Buffer.from(this.#rest);
  }

  goOn(): void {
    if (this.isBehind) this.#timer = setTimeout(() => this.#takeOn(), nextTurnAt - performance.now());
  }

  #keep(rest: Uint8Array): void {
    if (rest.length === 0 || this.#isDropped) return;
    this.#rest = rest;
    this.#intake.onBehind();
    this.goOn();
  }

  #takeOn(): void {
    // Another terminal came first.
    if (performance.now() < nextTurnAt) return this.goOn();
    const taken = this.#takeSome(this.#rest);
    if (this.#isDropped) return;
    this.#rest = this.#rest.subarray(taken);
    if (this.isBehind) this.goOn();
    else this.#intake.onTaken();
  }

  /** @returns How many bytes were taken. */
  #takeSome(bytes: Uint8Array): number {
    const from = performance.now();
    let now = from;
    let at = 0;
    while (at < bytes.length && !this.#isDropped && now < from + TURN_MS) {
      const to = this.#endOfPiece(bytes, at);
      this.#intake.take(bytes.subarray(at, to));
      at = to;
      now = performance.now();
    }
    if (at < bytes.length) nextTurnAt = now + Math.min(now - from, MAX_PAUSE_MS);
    return at;
  }

  #endOfPiece(bytes: Uint8Array, from: number): number {
    let at = from;
    for (let left = Math.floor(CELLS_PER_PIECE / this.#intake.cells()); left >= 0; left--) {
      at = bytes.indexOf(ESC, at) + 1;
      if (at === 0) return bytes.length;
    }
    return Math.max(at - 1, from + 1);
  }
}

/** What stands where output is left out. */
export function leftOutNote(bytes: number): Buffer {
  return Buffer.from(`\r\n[${bytes} bytes left out: too costly to show]\r\n`);
}
