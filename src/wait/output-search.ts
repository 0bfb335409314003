/** Searches growing output for patterns, each byte once, however the output is split into pieces. */
import type { WaitResult } from '../contract/command.js';
import type { PatternMatch, Pattern } from './pattern.js';
import { OutputText } from './output-text.js';
import type { TextPiece } from './output-text.js';

/** Maximum length of a match that is found; it may span any number of pieces. */
export const WINDOW_BYTES = 64 << 10;
/** Maximum length of a match's line that is shown. */
const MAX_LINE_BYTES = 4096;
/** The next wait searches an unfinished line again unless it is longer than this. */
const MAX_LINE_LEFT_BYTES = 4096;
/** For less output than this, the fast path saves nothing. */
const MIN_PASSED_BYTES = 16 << 10;

export interface OutputMatch {
  readonly reason: 'text' | 'regex';
  readonly match: NonNullable<WaitResult['match']>;
  /** The offset after the match. */
  readonly offset: number;
}

const ESC = 0x1b;

export class OutputSearch {
  readonly #patterns: readonly Pattern[];
  readonly #output = new OutputText();
  #pieces: TextPiece[] = [];
  #bytes = 0;
  #position: number;
  #skippedBytes = 0;

  constructor(patterns: readonly Pattern[], from: number) {
    this.#patterns = patterns;
    this.#position = from;
  }

  /** Whether a step can take long, because it searches for an expression. */
  get isCostly(): boolean {
    return this.#patterns.some(({ reason }) => reason === 'regex');
  }

  /** Offset of the output to pass next. */
  get position(): number {
    return this.#position;
  }

  /** Where another search should begin so that it does not miss a text that has only partly arrived. */
  get resumeAt(): number {
    const text = this.#text();
    const lineStart = text.lastIndexOf('\n') + 1;
    if (lineStart === text.length || text.length - lineStart > MAX_LINE_LEFT_BYTES) return this.#position;
    return this.#offsetBehind(lineStart + 1) - 1;
  }

  /** Number of bytes that were dropped without being searched. */
  get skippedBytes(): number {
    return this.#skippedBytes;
  }

  /** Continues at a later offset, because output was dropped. Nothing is found across the gap. */
  skipTo(offset: number): void {
    this.#skippedBytes += offset - this.#position;
    this.#goOnAt(offset);
  }

  #goOnAt(offset: number): void {
    this.#output.reset();
    this.#forget();
    this.#position = offset;
  }

  /** Searches the output starting at `position`; an incomplete sequence at its end is left for the next call. */
  take(bytes: Buffer): OutputMatch | null {
    const absent = this.#absentLiteral(bytes);
    if (absent !== null) return this.#passOver(bytes, absent.length + 1);
    const { piece, taken } = this.#output.take(bytes, this.#position);
    this.#position += taken;
    if (piece.text === '') return null;
    this.#add(piece);
    return this.#find(this.#bytes - piece.text.length);
  }

  /** Returns the literal if it certainly does not occur in this plain output. */
  #absentLiteral(bytes: Buffer): Buffer | null {
    const literal = this.#patterns.length === 1 ? this.#patterns[0]!.literal : null;
    if (literal === null || bytes.length < MIN_PASSED_BYTES || !this.#output.isText) return null;
    return bytes.includes(ESC) || bytes.includes(literal) ? null : literal;
  }

  /**
   * Fast path: scans the output as bytes, which is many times faster. Only its edges, where it meets the output before
   * and after, are searched in full.
   */
  #passOver(bytes: Buffer, edgeBytes: number): OutputMatch | null {
    const behindMiddle = this.#position + bytes.length - edgeBytes;
    const head = this.take(bytes.subarray(0, edgeBytes));
    if (head === null) this.#goOnAt(behindMiddle);
    return head;
  }

  #add(piece: TextPiece): void {
    this.#pieces.push(piece);
    this.#bytes += piece.text.length;
    while (this.#bytes - this.#pieces[0]!.text.length > WINDOW_BYTES) this.#bytes -= this.#pieces.shift()!.text.length;
  }

  #forget(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #text(): string {
    // Joined on each use: a single string would lose the origin of its parts, and joining costs little compared with
    // the search.
    return this.#pieces.map(({ text }) => text).join('');
  }

  /** Returns the match that comes first, of all patterns. */
  #find(seen: number): OutputMatch | null {
    const text = this.#text();
    const found = this.#patterns.flatMap((pattern) => {
      const one = pattern.find(text, seen);
      return one === null ? [] : [{ reason: pattern.reason, ...one }];
    });
    const first = found.sort((a, b) => a.end - b.end)[0];
    return first === undefined ? null : this.#matchOf(text, first);
  }

  #matchOf(
    text: string,
    { reason, start, end, groups }: PatternMatch & { reason: OutputMatch['reason'] },
  ): OutputMatch {
    const lineBefore = start === 0 ? -1 : text.lastIndexOf('\n', start - 1);
    const lineStart = Math.max(lineBefore + 1, start - MAX_LINE_BYTES / 2);
    const newline = text.indexOf('\n', end - 1);
    const lineEnd = Math.min(newline === -1 ? text.length : newline, lineStart + MAX_LINE_BYTES);
    const match = {
      text: decode(text.slice(start, end)),
      line: decode(text.slice(lineStart, lineEnd)),
      groups: [...groups],
    };
    return { reason, match, offset: this.#offsetBehind(end) };
  }

  #offsetBehind(length: number): number {
    let left = length;
    for (const piece of this.#pieces) {
      if (left <= piece.text.length) return piece.offsetBehind(left);
      left -= piece.text.length;
    }
    return this.#position;
  }
}

function decode(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
