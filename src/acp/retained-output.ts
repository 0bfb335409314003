/**
 * Keeps the end of a program's output as valid UTF-8 text, up to a byte limit and without splitting a character. Memory
 * remains bounded however much is added; adding a chunk takes time that is linear in its size. Performs no I/O and is
 * independent of terminals.
 */
import { cutOffLength } from '../utf8.js';

const CR = 0x0d;
const LF = 0x0a;
/** Maximum number of bytes that follow a character's first byte. */
const MAX_CONTINUATION_BYTES = 3;
/**
 * Number of bytes kept beyond the limit: at the end for an incomplete character, and at the start for finding where the
 * first character begins.
 */
const MARGIN_BYTES = 2 * MAX_CONTINUATION_BYTES;
/** Additional space beyond the margin, so that older bytes are removed rarely and in one move. */
const MIN_SLACK_BYTES = 64 << 10;
const FIRST_BYTES = 256;

export interface RetainedText {
  readonly output: string;
  /** Whether any output before `output` is missing. Once true, it remains true. */
  readonly truncated: boolean;
}

export class RetainedOutput {
  readonly #limit: number;
  #bytes = Buffer.alloc(FIRST_BYTES);
  #length = 0;
  #isOver = false;
  #wasLost = false;
  #text: RetainedText | null = null;

  /** @param limit - Maximum number of bytes of text, in UTF-8. With 0, no output is kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a chunk, which may begin and end anywhere. Removes the CR that a terminal inserts before each LF. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MIN_SLACK_BYTES) this.#addPiece(bytes.subarray(at, at + MIN_SLACK_BYTES));
  }

  /** Adds at most `MIN_SLACK_BYTES`, so that a large chunk does not leave a large buffer behind. */
  #addPiece(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    const held = this.#bytes;
    let end = this.#length;
    let before = end > 0 ? held[end - 1] : undefined;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (byte === LF && before === CR) end--;
      held[end++] = byte;
      before = byte;
    }
    this.#length = end;
    this.#isOver = false;
    this.#text = null;
  }

  /** Records that output is missing, and drops everything before the gap. */
  lose(): void {
    this.#length = 0;
    this.#wasLost = true;
    this.#text = null;
  }

  /** Marks the output as complete. Incomplete sequences at its end become part of the text. */
  end(): void {
    this.#isOver = true;
    this.#text = null;
  }

  /**
   * Returns the current text. Costs nothing if no output has been added since the last call. As long as nothing is cut
   * off, each result starts with the previous one.
   */
  read(): RetainedText {
    this.#text ??= this.#lastOf(this.#length - this.#unfinishedLength());
    return this.#text;
  }

  /** Number of bytes allocated, whether they are in use or not. */
  get heldBytes(): number {
    return this.#bytes.length;
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const kept = Math.min(this.#length, this.#limit + MARGIN_BYTES);
    const most = this.#limit + MARGIN_BYTES + Math.max(MIN_SLACK_BYTES, this.#limit >> 2);
    const size = Math.min(most, Math.max(needed, 2 * this.#bytes.length));
    const from = needed <= size ? 0 : this.#length - kept;
    this.#move(from, size);
  }

  /** Drops everything before `from` and moves the rest to the start, in a larger buffer if necessary. */
  #move(from: number, size: number): void {
    const old = this.#bytes;
    if (size > old.length) this.#bytes = Buffer.alloc(size);
    old.copy(this.#bytes, 0, from, this.#length);
    this.#length -= from;
  }

  /**
   * Returns the length of the part at the end that may be incomplete: a CR that may belong to a line ending, or part of
   * a character.
   */
  #unfinishedLength(): number {
    if (this.#isOver || this.#length === 0) return 0;
    const held = this.#bytes.subarray(0, this.#length);
    return held.at(-1) === CR ? 1 : cutOffLength(held);
  }

  /**
   * Returns the last `limit` bytes before `end` as text. An invalid byte counts as the replacement character that it
   * becomes.
   */
  #lastOf(end: number): RetainedText {
    const from = Math.max(0, end - this.#limit);
    const text = this.#bytes.toString('utf8', this.#characterAt(from), end);
    const { output, truncated } = lastBytes(text, this.#limit);
    return { output, truncated: truncated || from > 0 || this.#wasLost };
  }

  /** Returns the start of the character that the byte at `at` belongs to or may belong to. */
  #characterAt(at: number): number {
    for (let back = 0; back <= MAX_CONTINUATION_BYTES && back <= at; back++) {
      if (((this.#bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back;
    }
    // No character is this long, so the byte is invalid.
    return at;
  }
}

/** Returns as many of the last characters of a string as fit into `limit` bytes of UTF-8. */
export function lastBytes(text: string, limit: number): RetainedText {
  let at = 0;
  for (let surplus = Buffer.byteLength(text) - limit; surplus > 0;) {
    const point = text.codePointAt(at)!;
    surplus -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += point < 0x10000 ? 1 : 2;
  }
  return { output: text.slice(at), truncated: at > 0 };
}
