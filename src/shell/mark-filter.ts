/**
 * Filters our marks out of a shell's output, wherever the output is split, and leaves everything else unchanged. Does
 * not interpret the marks.
 */
import { MARK_PREFIX, MAX_MARK_BYTES, parseMark } from './marker.js';
import type { Mark } from './marker.js';

export interface FilteredOutput {
  /** Output that is not a mark, in order. The bytes are valid only during the call. */
  onText(bytes: Buffer): void;
  onMark(mark: Mark, nonce: string): void;
}

const BEL = 0x07;
const ESC = 0x1b;
const FIRST_PRINTABLE = 0x20;
const PREFIX = Buffer.from(MARK_PREFIX);
const NOTHING = Buffer.alloc(0);

export class MarkFilter {
  readonly #nonces: Set<string>;
  readonly #output: FilteredOutput;
  /** Bytes that may still become a mark. */
  #pending: Buffer = NOTHING;

  /** @param pending - Bytes that an earlier filter received but did not pass on. */
  constructor(nonce: string, output: FilteredOutput, pending: Buffer = NOTHING) {
    this.#nonces = new Set([nonce]);
    this.#output = output;
    this.#pending = pending;
  }

  /** Bytes received but not passed on. */
  get pending(): Buffer {
    return this.#pending;
  }

  /** Also accepts the marks of another shell. */
  expect(nonce: string): void {
    this.#nonces.add(nonce);
  }

  /** Stops accepting marks with this nonce. */
  forget(nonce: string): void {
    this.#nonces.delete(nonce);
  }

  take(bytes: Uint8Array): void {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const all = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]);
    this.#pending = NOTHING;
    let at = 0;
    for (let found = all.indexOf(PREFIX, at); found !== -1; found = all.indexOf(PREFIX, at)) {
      this.#text(all, at, found);
      const end = endOfMark(all, found);
      if (end === null) return this.#keep(all, found);
      if (all[end] === BEL) this.#mark(all, found, end);
      else this.#text(all, found, end);
      at = all[end] === BEL ? end + 1 : end;
    }
    const rest = all.length - beginningAtEnd(all, at);
    this.#text(all, at, rest);
    this.#keep(all, rest);
  }

  /** Ends the output: nothing follows. */
  end(): void {
    const rest = this.#pending;
    this.#pending = NOTHING;
    this.#text(rest, 0, rest.length);
  }

  #mark(all: Buffer, from: number, end: number): void {
    const body = all.toString('utf8', from + PREFIX.length, end);
    const nonce = body.slice(0, Math.max(0, body.indexOf(';')));
    // A mark with another nonce is not ours; terminals do not display it.
    const mark = this.#nonces.has(nonce) ? parseMark(body, nonce) : null;
    if (mark === null) this.#text(all, from, end + 1);
    else this.#output.onMark(mark, nonce);
  }

  #text(all: Buffer, from: number, to: number): void {
    if (to > from) this.#output.onText(all.subarray(from, to));
  }

  /** Copies the bytes, because the caller owns the buffer. */
  #keep(all: Buffer, from: number): void {
    if (from < all.length) this.#pending = Buffer.from(all.subarray(from));
  }
}

/**
 * Returns the position of the BEL that ends the mark that begins at `from`, or the position where it proves not to be a
 * mark; null if more bytes are needed to decide.
 */
function endOfMark(all: Buffer, from: number): number | null {
  const limit = Math.min(all.length, from + MAX_MARK_BYTES);
  for (let at = from + PREFIX.length; at < limit; at++) if (all[at]! < FIRST_PRINTABLE) return at;
  return limit === from + MAX_MARK_BYTES ? limit : null;
}

/** Returns how many of the last bytes, at or after `from`, may be the beginning of a prefix. */
function beginningAtEnd(all: Buffer, from: number): number {
  const at = all.lastIndexOf(ESC);
  const length = all.length - at;
  if (at < from || length >= PREFIX.length) return 0;
  return PREFIX.subarray(0, length).equals(all.subarray(at)) ? length : 0;
}
