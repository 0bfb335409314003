/**
 * What a program writes, as the lines that a person would have seen: carriage returns, erasures and colours are done by
 * an emulator of one row, so that each line is there as soon as the next begins. It knows no terminal and no person.
 */
import { Screen } from '../../screen/screen.js';

/** Lines are put together again from rows; few have more than one. */
const COLS = 500;
/** A line without an end is cut there. */
const MAX_LINE_CHARS = 16 << 10;

export class SeenLines {
  readonly #onLine: (ansi: string) => void;
  /** Made when there is something to show on it. */
  #screen: Screen | null = null;
  #open = '';
  #endedInReturn = false;

  /** @param onLine - Told of each line, with its colours, without its end. */
  constructor(onLine: (ansi: string) => void) {
    this.#onLine = onLine;
  }

  /** Any cut, any bytes. */
  write(bytes: Uint8Array): void {
    this.#screen ??= new Screen(COLS, 1, { onRowLeft: (row) => this.#take(row), onReply: () => {} });
    this.#screen.write(this.#withReturns(bytes));
  }

  /** What there is of a line that has no end yet; empty if none has begun. */
  get begun(): string {
    return [this.#open, ...(this.#screen?.visibleRows() ?? []).map(({ ansi }) => ansi)].join('');
  }

  /** What has no line end yet is a line, too. Nothing may be written afterwards. */
  end(): void {
    for (const row of this.#screen?.visibleRows() ?? []) this.#take(row);
    if (this.#open !== '') this.#take({ ansi: '', continues: false });
    this.#screen?.dispose();
  }

  /** What agents pass on may come from a pipe: there a line end stands alone. */
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
