/**
 * The lines of one terminal as they are shown while it runs: each as it comes, up to a number that a person may want to
 * see scroll by; of the rest the last ones at the end. It knows no person.
 */
import { SeenLines } from './seen-lines.js';

/** So many are shown as they come. */
const LIVE_LINES = 400;
/** So many of what comes then are shown at the end. */
const LAST_LINES = 10;
/** Kept to make those from. */
const TAIL_BYTES = 16 << 10;
const LF = 0x0a;
export interface LinesShown {
  line(ansi: string): void;
  /** So many were not shown. */
  leftOut(lines: number): void;
}

export class LiveLines {
  readonly #shown: LinesShown;
  readonly #lines: SeenLines;
  #count = 0;
  #rest: Rest | null = null;

  constructor(shown: LinesShown) {
    this.#shown = shown;
    this.#lines = new SeenLines((ansi) => {
      if (++this.#count <= LIVE_LINES) shown.line(ansi);
    });
  }

  /** Shows what there is of a line that has no end yet; when it has one, it is shown whole. */
  showBegun(): void {
    const { begun } = this.#lines;
    if (this.#count < LIVE_LINES && begun.trim() !== '') this.#shown.line(begun);
  }

  write(bytes: Uint8Array): void {
    // In pieces, so that little more is made into lines than is shown.
    for (let at = 0; at < bytes.length; at += TAIL_BYTES) this.#writePiece(bytes.subarray(at, at + TAIL_BYTES));
  }

  /** Shows what is left to show. Nothing may be written afterwards. */
  end(): void {
    // A line that had begun ends in the rest, and is counted there.
    const begun = this.#count;
    this.#lines.end();
    const { lines, count } = this.#rest?.last() ?? { lines: [], count: 0 };
    const unseen = Math.max(0, (this.#rest === null ? this.#count : begun) - LIVE_LINES) + count - lines.length;
    if (unseen > 0) this.#shown.leftOut(unseen);
    for (const line of lines) this.#shown.line(line);
  }

  #writePiece(bytes: Uint8Array): void {
    if (this.#count <= LIVE_LINES) this.#lines.write(bytes);
    else (this.#rest ??= new Rest()).add(bytes);
  }
}

/** What comes after the lines that are shown live: counted, and its end kept. */
class Rest {
  #tail = Buffer.alloc(0);
  #ends = 0;

  add(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) this.#ends++;
    this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-TAIL_BYTES);
  }

  last(): { readonly lines: readonly string[]; readonly count: number } {
    const lines: string[] = [];
    const seen = new SeenLines((ansi) => lines.push(ansi));
    seen.write(this.#tail);
    seen.end();
    const count = this.#ends + (this.#tail.at(-1) === LF ? 0 : 1);
    return { lines: lines.slice(-LAST_LINES), count: Math.max(count, Math.min(lines.length, LAST_LINES)) };
  }
}
