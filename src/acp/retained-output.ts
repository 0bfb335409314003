/**
 * The last of what a program wrote, as text within a limit of bytes: valid UTF-8, cut before a character, never in it.
 * Memory is bounded by the limit however much comes; what it takes to add is linear. Pure: it knows no terminal.
 */
import { cutOffLength } from '../utf8.js';

const CR = 0x0d;
const LF = 0x0a;
/** A character has up to so many bytes after its first. */
const MAX_CONTINUATION_BYTES = 3;
/** Behind the limit: what is not shown yet at the end, and what it takes to see where a character begins. */
const MARGIN_BYTES = 2 * MAX_CONTINUATION_BYTES;
/** What is held beyond that, so that older bytes are moved out in one go and seldom. */
const MIN_SLACK_BYTES = 64 << 10;
const FIRST_BYTES = 256;

export interface RetainedText {
  readonly output: string;
  /** Whether anything before it is missing. Once true, it stays so. */
  readonly truncated: boolean;
}

export class RetainedOutput {
  readonly #limit: number;
  #bytes = Buffer.alloc(FIRST_BYTES);
  #length = 0;
  #isOver = false;
  #wasLost = false;
  #text: RetainedText | null = null;

  /** @param limit - Most bytes (UTF-8) of text. 0 is none. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes what comes next, cut anywhere. The CR that a terminal puts before each LF is taken out. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MIN_SLACK_BYTES) this.#addPiece(bytes.subarray(at, at + MIN_SLACK_BYTES));
  }

  /** Of no more than `MIN_SLACK_BYTES`, so that no large one leaves a large place behind. */
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

  /** Something in between is missing: what came before it is no longer the end of anything. */
  lose(): void {
    this.#length = 0;
    this.#wasLost = true;
    this.#text = null;
  }

  /** No more comes, as far as is known: what may be half of something is shown as it is. */
  end(): void {
    this.#isOver = true;
    this.#text = null;
  }

  /**
   * What there is now. Costs nothing until something new comes. An answer begins with the answer before it, as long as
   * nothing is cut off.
   */
  read(): RetainedText {
    this.#text ??= this.#lastOf(this.#length - this.#unfinishedLength());
    return this.#text;
  }

  /** Memory that is held, whatever of it is in use. */
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

  /** Drops all before `from`; the rest goes to the beginning, in a larger place if need be. */
  #move(from: number, size: number): void {
    const old = this.#bytes;
    if (size > old.length) this.#bytes = Buffer.alloc(size);
    old.copy(this.#bytes, 0, from, this.#length);
    this.#length -= from;
  }

  /** A CR may belong to a line end, and a character may not be whole. */
  #unfinishedLength(): number {
    if (this.#isOver || this.#length === 0) return 0;
    const held = this.#bytes.subarray(0, this.#length);
    return held.at(-1) === CR ? 1 : cutOffLength(held);
  }

  /** The last `limit` bytes before `end`, as text. Bytes that are no text count as what stands for them. */
  #lastOf(end: number): RetainedText {
    const from = Math.max(0, end - this.#limit);
    const text = this.#bytes.toString('utf8', this.#characterAt(from), end);
    const { output, truncated } = lastBytes(text, this.#limit);
    return { output, truncated: truncated || from > 0 || this.#wasLost };
  }

  /** Where the character begins that the byte at `at` is part of, or may be. */
  #characterAt(at: number): number {
    for (let back = 0; back <= MAX_CONTINUATION_BYTES && back <= at; back++) {
      if (((this.#bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back;
    }
    // No character is as long as that: these are no text, each for itself.
    return at;
  }
}

/** The last characters of a text, as many as fit into `limit` bytes (UTF-8). */
export function lastBytes(text: string, limit: number): RetainedText {
  let at = 0;
  for (let surplus = Buffer.byteLength(text) - limit; surplus > 0;) {
    const point = text.codePointAt(at)!;
    surplus -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += point < 0x10000 ? 1 : 2;
  }
  return { output: text.slice(at), truncated: at > 0 };
}
