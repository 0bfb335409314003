/**
 * The line that a person types: at the bottom of their terminal, below all that is shown, and out of the way while more is
 * shown. It knows neither what is typed nor what is shown.
 */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline';
import type { Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { Keys } from './keys.js';
import type { TerminalInput } from './keys.js';

export interface KeyboardStreams {
  readonly input: TerminalInput & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };
}

const PROMPT = '> ';
const HISTORY_LINES = 1000;

export class BottomLine {
  /** Edits it. Without a terminal it only cuts what comes into lines. */
  readonly lines: Interface;
  readonly isTerminal: boolean;
  readonly #keys: Keys | null;
  readonly #echo: Echo;
  /** Whether it is to be seen while nothing is typed. */
  #isWanted = false;
  /** Whether there is a row for it: nothing that is shown goes on there. */
  #isFree = true;
  #isClosed = false;

  constructor(streams: KeyboardStreams) {
    const { input, output } = streams;
    this.isTerminal = input.isTTY === true;
    this.#keys = this.isTerminal ? new Keys(input, (text) => output.write(text)) : null;
    this.#echo = new Echo(output);
    this.lines = createInterface({
      ...{ input: this.#keys?.stream ?? input, output: this.#echo, terminal: this.isTerminal },
      ...{ prompt: PROMPT, historySize: HISTORY_LINES },
    });
    // It stays where it was entered.
    this.lines.on('line', () => (this.#echo.isSeen = false));
    this.lines.on('close', () => this.#onClose());
    this.#keys?.on('keypress', this.#draw);
  }

  /** To be seen from now on, whether something is typed or not. @param prompt - What stands before what is typed. */
  ask(prompt = PROMPT): void {
    this.#erase();
    this.#isWanted = true;
    this.lines.setPrompt(prompt);
    this.#draw();
  }

  /** To be seen only where something is typed. */
  rest(): void {
    this.#erase();
    this.#isWanted = false;
    this.lines.setPrompt(PROMPT);
    this.#draw();
  }

  /** Shows something above it. @param show - Answers whether what it has shown ends in a line end. */
  above(show: () => boolean): void {
    this.#erase();
    this.#isFree = show();
    this.#draw();
  }

  /** Answers with what is half typed, which is gone then. */
  putBy(): string {
    const typed = this.lines.line;
    this.#erase();
    this.clear();
    return typed;
  }

  /** What was put by is typed again. */
  takeUp(typed: string): void {
    if (typed !== '' && !this.#isClosed) this.lines.write(typed);
  }

  /** What has been typed and not entered is gone. */
  clear(): void {
    if (this.lines.line === '' || this.#isClosed) return;
    this.lines.write(null, { ctrl: true, name: 'e' });
    this.lines.write(null, { ctrl: true, name: 'u' });
  }

  readonly #draw = (): void => {
    const isNeeded = this.#isWanted || this.lines.line !== '';
    if (!this.isTerminal || this.#isClosed || !this.#isFree || this.#echo.isSeen || !isNeeded) return;
    this.#echo.isSeen = true;
    this.#startAtCursor();
    this.lines.prompt(true);
  };

  #erase(): void {
    if (!this.#echo.isSeen) return;
    moveCursor(this.#echo, 0, -this.lines.getCursorPos().rows);
    cursorTo(this.#echo, 0);
    clearScreenDown(this.#echo);
    this.#echo.isSeen = false;
  }

  /** The editor would go up by the rows that it believes to be above. */
  #startAtCursor(): void {
    (this.lines as { prevRows?: number }).prevRows = 0;
  }

  #onClose(): void {
    this.#isClosed = true;
    this.#keys?.off('keypress', this.#draw);
    this.#keys?.leave();
    if (this.#echo.isSeen) this.#echo.write('\r\n');
    this.#echo.leave();
  }
}

/** The person's terminal for the editor of the line: while that is not to be seen, nothing of it arrives. */
class Echo extends Writable {
  readonly #output: KeyboardStreams['output'];
  readonly #onResize = () => this.emit('resize');
  isSeen = false;

  constructor(output: KeyboardStreams['output']) {
    super({ decodeStrings: false });
    this.#output = output;
    output.on('resize', this.#onResize);
  }

  get columns(): number | undefined {
    return this.#output.columns;
  }

  leave(): void {
    this.#output.off('resize', this.#onResize);
    this.isSeen = false;
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    if (this.isSeen) this.#output.write(text);
    done();
  }
}
