/**
 * What comes from the person's terminal, on its way to the line editor: text that is pasted is marked as such by the
 * terminal, and becomes part of one line, whatever it holds. It knows no line.
 */
import { EventEmitter } from 'node:events';
import { StringDecoder } from 'node:string_decoder';

export interface TerminalInput extends NodeJS.ReadableStream {
  setRawMode?(isRaw: boolean): unknown;
}

/** Stands in the line for a line end that was pasted. */
const LINE_END_SHOWN = '\u240a';
const PASTE_STARTS = '\x1b[200~';
const PASTE_ENDS = '\x1b[201~';
/** The terminal is to mark what is pasted, or not to any more. */
const MARK_PASTES = '\x1b[?2004h';
const MARK_NO_PASTES = '\x1b[?2004l';
/** The beginning of a mark that has two characters or more: one that is alone is the escape key. */
const MIN_CUT_CHARS = 2;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** Keys as the line editor takes them. Pastes are marked while the terminal is raw: as long as a line is edited. */
export class Keys extends EventEmitter {
  readonly isTTY = true;
  readonly #input: TerminalInput;
  readonly #write: (text: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  /** What may be the beginning of a mark. */
  #cut = '';
  #isPasting = false;

  /** @param write - To the terminal that the keys come from. */
  constructor(input: TerminalInput, write: (text: string) => void) {
    super();
    this.#input = input;
    this.#write = write;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
  }

  /** As the line editor takes it: it asks for no more than this class has. */
  get stream(): NodeJS.ReadableStream {
    return this as unknown as NodeJS.ReadableStream;
  }

  pause(): this {
    this.#input.pause();
    return this;
  }

  resume(): this {
    this.#input.resume();
    return this;
  }

  setRawMode(isRaw: boolean): this {
    this.#input.setRawMode?.(isRaw);
    process.off('exit', this.#markNoPastes);
    if (isRaw) process.on('exit', this.#markNoPastes);
    if (isRaw) this.#write(MARK_PASTES);
    else this.#markNoPastes();
    return this;
  }

  /** Lets go of the terminal. */
  leave(): void {
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.pause();
  }

  readonly #onData = (bytes: Buffer | string): void => {
    const text = this.#cut + (typeof bytes === 'string' ? bytes : this.#decoder.write(bytes));
    this.#cut = '';
    this.#take(text);
  };

  /** Whatever reads the terminal next may not know of marks. */
  readonly #markNoPastes = (): void => this.#write(MARK_NO_PASTES);

  readonly #onEnd = (): void => {
    this.emit('end');
  };

  #take(text: string): void {
    const mark = this.#isPasting ? PASTE_ENDS : PASTE_STARTS;
    const at = text.indexOf(mark);
    if (at < 0) {
      this.#cut = cutMark(text, mark, this.#isPasting ? 1 : MIN_CUT_CHARS);
      return this.#give(text.slice(0, text.length - this.#cut.length));
    }
    this.#give(text.slice(0, at));
    this.#isPasting = !this.#isPasting;
    this.#take(text.slice(at + mark.length));
  }

  #give(text: string): void {
    const keys = this.#isPasting ? pasted(text) : text;
    if (keys !== '') this.emit('data', keys);
  }
}

/** What was meant by a line with what was pasted into it. */
export function meant(line: string): string {
  return line.replaceAll(LINE_END_SHOWN, '\n');
}

/** Nothing in it is a key. */
function pasted(text: string): string {
  return text.replace(/\r\n?|\n/g, LINE_END_SHOWN).replace(CONTROLS, '');
}

/** The end of `text` that may be the beginning of `mark`. */
function cutMark(text: string, mark: string, minChars: number): string {
  for (let length = mark.length - 1; length >= minChars; length--) {
    if (text.endsWith(mark.slice(0, length))) return mark.slice(0, length);
  }
  return '';
}
