/**
 * Converts a program's output to the lines that a person would have seen. An emulator with a single row processes
 * carriage returns, erasures and colours, so that each line is available as soon as the next one begins.
 */
import { Screen } from '../../screen/screen.js';

/** Lines are reassembled from rows; few need more than one row. */
const COLS = 500;
/** Length at which a line without an end is split. */
const MAX_LINE_CHARS = 16 << 10;

export class RenderedLines {
  readonly #onLine: (ansi: string) => void;
  /** Created with the first output. */
  #screen: Screen | null = null;
  #open = '';
  #endedInReturn = false;

  /** @param onLine - Called with each line, with its colours and without its line ending. */
  constructor(onLine: (ansi: string) => void) {
    this.#onLine = onLine;
  }

  /** Writes a chunk of any size. */
  write(bytes: Uint8Array): void {
    this.#screen ??= new Screen(COLS, 1, { onRowLeft: (row) => this.#take(row), onReply: () => {} });
    this.#screen.write(this.#withReturns(bytes));
  }

  /** The start of an unfinished line, or an empty string if none has begun. */
  get unfinished(): string {
    return [this.#open, ...(this.#screen?.visibleRows() ?? []).map(({ ansi }) => ansi)].join('');
  }

  /** Passes on an unfinished line. Nothing may be written after this. */
  end(): void {
    for (const row of this.#screen?.visibleRows() ?? []) this.#take(row);
    if (this.#open !== '') this.#take({ ansi: '', continues: false });
    this.#screen?.dispose();
  }

  /** Adds the CR that line endings from a pipe lack, because agents may pass on such output. */
  #withReturns(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const isSecondHalf = this.#endedInReturn && text.startsWith('\n');
    this.#endedInReturn = text.endsWith('\r');
    const whole = text.replace(/(?<!\r)\n/g, '\r\n');
    return Buffer.from(isSecondHalf ? whole.slice(1) : whole, 'latin1');
  }

  #take({ ansi, continues }: { readonly ansi: string; readonly continues: boolean }): void {
    this.#open += ansi;
    if (continues && this.#open.length < MAX_LINE_CHARS) return;
    this.#onLine(this.#open);
    this.#open = '';
  }
}
