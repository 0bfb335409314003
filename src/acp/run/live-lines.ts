/**
 * Displays the lines of one terminal while it is running. Shows lines as they arrive, up to a number that a person may
 * want to see scroll by; of the remaining lines, shows only the last ones, at the end.
 */
import { RenderedLines } from './rendered-lines.js';

/** Number of lines that are shown as they arrive. */
const LIVE_LINES = 400;
/** Number of later lines that are shown at the end. */
const LAST_LINES = 10;
/** Number of bytes that are kept to produce those lines. */
const TAIL_BYTES = 16 << 10;
const LF = 0x0a;
export interface LineDisplay {
  line(ansi: string): void;
  /** Called with the number of lines that were not shown. */
  leftOut(lines: number): void;
}

export class LiveLines {
  readonly #display: LineDisplay;
  readonly #lines: RenderedLines;
  #count = 0;
  #tail: OutputTail | null = null;

  constructor(shown: LineDisplay) {
    this.#display = shown;
    this.#lines = new RenderedLines((ansi) => {
      if (++this.#count <= LIVE_LINES) shown.line(ansi);
    });
  }

  /** Shows the start of an unfinished line. Once the line ends, it is shown completely. */
  showUnfinished(): void {
    const { unfinished: begun } = this.#lines;
    if (this.#count < LIVE_LINES && begun.trim() !== '') this.#display.line(begun);
  }

  write(bytes: Uint8Array): void {
    // Written in chunks, so that only a few more lines are decoded than are shown.
    for (let at = 0; at < bytes.length; at += TAIL_BYTES) this.#writePiece(bytes.subarray(at, at + TAIL_BYTES));
  }

  /** Shows the remaining lines. Nothing may be written after this. */
  end(): void {
    // An unfinished line ends in the tail, which counts it.
    const begun = this.#count;
    this.#lines.end();
    const { lines, count } = this.#tail?.last() ?? { lines: [], count: 0 };
    const unseen = Math.max(0, (this.#tail === null ? this.#count : begun) - LIVE_LINES) + count - lines.length;
    if (unseen > 0) this.#display.leftOut(unseen);
    for (const line of lines) this.#display.line(line);
  }

  #writePiece(bytes: Uint8Array): void {
    if (this.#count <= LIVE_LINES) this.#lines.write(bytes);
    else (this.#tail ??= new OutputTail()).add(bytes);
  }
}

/** Counts the lines after those that were shown as they arrived, and keeps the end of the output. */
class OutputTail {
  #tail = Buffer.alloc(0);
  #ends = 0;

  add(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) this.#ends++;
    this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-TAIL_BYTES);
  }

  last(): { readonly lines: readonly string[]; readonly count: number } {
    const lines: string[] = [];
    const seen = new RenderedLines((ansi) => lines.push(ansi));
    seen.write(this.#tail);
    seen.end();
    const count = this.#ends + (this.#tail.at(-1) === LF ? 0 : 1);
    return { lines: lines.slice(-LAST_LINES), count: Math.max(count, Math.min(lines.length, LAST_LINES)) };
  }
}
