/**
 * Converts output to the text that is searched: without escape sequences, and with every line ending as one `\n`. Also
 * maps each position in the text to its offset in the output. Takes the output in pieces, split anywhere. Pure; does
 * not depend on patterns or on what a screen would show.
 */

/** A part of the text and the bytes that it comes from; both have the same length, except for line endings. */
interface Span {
  readonly textStart: number;
  readonly textEnd: number;
  readonly start: number;
  readonly end: number;
}

/** Text with one character per byte of its UTF-8, and the offset of every position in it. */
export class TextPiece {
  readonly text: string;
  readonly #findSpans: () => readonly Span[];

  /** @param findSpans - Called only if a position is needed. */
  constructor(text: string, findSpans: () => readonly Span[]) {
    this.text = text;
    this.#findSpans = findSpans;
  }

  /** Returns the offset after the first `length` characters; `length` is at least 1. */
  offsetBehind(length: number): number {
    const spans = this.#findSpans();
    let [low, high] = [0, spans.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans[middle]!.textEnd < length) low = middle + 1;
      else high = middle;
    }
    const { textStart, textEnd, start, end } = spans[low]!;
    return length === textEnd ? end : start + (length - textStart);
  }
}

/**
 * Matches line endings, control sequences, beginnings of control strings, and other escape sequences. A sequence that
 * another character interrupts ends before that character.
 */
const TOKEN = /\r+\n?|\x1b(?:\[[ -?]*[@-~]?|[\]PX^_]|[ -/]*[0-~]?)/g;
/**
 * The only tokens in most output, for fast removal. Replacing line endings first gives the same result as one pass over
 * all tokens.
 */
const LINE_END = /\r+\n?/g;
const CONTROL_SEQUENCE = /\x1b\[[ -?]*[@-~]/g;
/** What may be the beginning of a token at the end of the input. */
const UNFINISHED = /(?:\r+|\x1b(?:\[[ -?]*|[ -/]*))$/;
/** A control string ends at these; only an OSC string ends at BEL. An ESC begins the next token. */
const END_OF_OSC = /[\x07\x18\x1a\x1b]/g;
const END_OF_STRING = /[\x18\x1a\x1b]/g;
/** A longer unfinished sequence is not worth waiting for. */
const MAX_UNFINISHED_BYTES = 4096;

export class OutputText {
  /** Within a control string, the pattern for its end. */
  #stringEnd: RegExp | null = null;

  /**
   * Returns the text of the next bytes, which begin at `offset`. Leaves out an incomplete sequence at their end:
   * `taken` is the number of bytes used; pass the rest again with the bytes that follow.
   */
  take(bytes: Buffer, offset: number): { readonly piece: TextPiece; readonly taken: number } {
    const raw = bytes.toString('latin1');
    const taken = raw.length - unfinishedAtEnd(raw);
    return { piece: this.#pieceOf(raw.slice(0, taken), offset), taken };
  }

  /** Call when output is missing before the next bytes, so that no sequence continues there. */
  reset(): void {
    this.#stringEnd = null;
  }

  /** Whether the next bytes are text, not the inside of a control string. */
  get isText(): boolean {
    return this.#stringEnd === null;
  }

  #pieceOf(raw: string, offset: number): TextPiece {
    if (!this.isText) return this.#convertExactly(raw, offset);
    const text = raw.replace(LINE_END, '\n').replace(CONTROL_SEQUENCE, '');
    if (text.includes('\x1b')) return this.#convertExactly(raw, offset);
    return new TextPiece(text, () => new OutputText().#spansOf(raw, offset).spans);
  }

  #convertExactly(raw: string, offset: number): TextPiece {
    const { text, spans } = this.#spansOf(raw, offset);
    return new TextPiece(text, () => spans);
  }

  #spansOf(raw: string, offset: number): { text: string; spans: Span[] } {
    const parts: string[] = [];
    const spans: Span[] = [];
    let length = 0;
    const add = (text: string, from: number, to: number): void => {
      if (text === '') return;
      spans.push({ textStart: length, textEnd: length + text.length, start: offset + from, end: offset + to });
      parts.push(text);
      length += text.length;
    };
    let at = this.#passString(raw, 0);
    while (at < raw.length) {
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(raw);
      const start = token?.index ?? raw.length;
      add(raw.slice(at, start), at, start);
      at = token === null ? raw.length : TOKEN.lastIndex;
      if (token === null) continue;
      if (token[0].startsWith('\r')) add('\n', start, at);
      else at = this.#passSequence(raw, token[0], at);
    }
    return { text: parts.join(''), spans };
  }

  #passSequence(raw: string, sequence: string, at: number): number {
    const isString = sequence.length === 2 && ']PX^_'.includes(sequence[1]!);
    if (!isString) return at;
    this.#stringEnd = sequence[1] === ']' ? END_OF_OSC : END_OF_STRING;
    return this.#passString(raw, at);
  }

  /** Returns where text continues; the end of `raw` if the control string does not end in it. */
  #passString(raw: string, at: number): number {
    const end = this.#stringEnd;
    if (end === null) return at;
    end.lastIndex = at;
    const found = end.exec(raw);
    if (found === null) return raw.length;
    this.#stringEnd = null;
    return found[0] === '\x1b' ? found.index : found.index + 1;
  }
}

/** Returns how many bytes at the end may belong to an unfinished sequence. */
function unfinishedAtEnd(raw: string): number {
  const end = raw.slice(-MAX_UNFINISHED_BYTES);
  const [unfinished = ''] = UNFINISHED.exec(end) ?? [];
  if (unfinished.length === MAX_UNFINISHED_BYTES) return 0;
  return unfinished === '' ? unfinishedCharacter(end) : unfinished.length;
}

/** Returns the length of an incomplete UTF-8 character at the end. */
function unfinishedCharacter(end: string): number {
  const [character = ''] = /[\xc2-\xf4][\x80-\xbf]{0,2}$/.exec(end) ?? [];
  return character === '' || character.length >= lengthBy(character.charCodeAt(0)) ? 0 : character.length;
}

function lengthBy(lead: number): number {
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
