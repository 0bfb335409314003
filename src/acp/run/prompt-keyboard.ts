/**
 * Reads prompts from a person at a terminal, or from a pipe with one line per turn. Text that a person types while no
 * question is being asked is kept, without being shown, for the next prompt; it never answers a later question.
 */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline';
import type { Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { MARK_PASTES_OFF, MARK_PASTES_ON, restoreText, PasteDecoder } from './paste-decoder.js';

export interface KeyboardStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  readonly output: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };
}

interface ActivePrompt {
  readonly keys: PassThrough;
  readonly editor: Interface;
  /** @param line - Null if there are no more lines, or undefined if the line is no longer needed. */
  end(line: string | null | undefined): void;
}

const PROMPT = '> ';
const HISTORY_LINES = 1000;
const CTRL_C = '\x03';
const MAX_AHEAD_CHARS = 64 << 10;
/** Maximum number of choices that are listed individually. */
const FEW_CHOICES = 4;

export class PromptKeyboard {
  readonly #streams: KeyboardStreams;
  readonly #onInterrupt: () => void;
  readonly #pasteDecoder = new PasteDecoder();
  /** Newest first. */
  readonly #history: string[] = [];
  /** The lines from a pipe, or null if stdin is a terminal. */
  readonly #lines: AsyncIterator<string> | null;
  #activePrompt: ActivePrompt | null = null;
  /** Settles when no question is open. */
  #picking: Promise<unknown> = Promise.resolve();
  /** A line that a question interrupted, and text that was typed ahead. */
  #typedAhead = '';
  #isOver = false;

  /** @param onInterrupt - Called for Ctrl-C at a terminal, unless it only clears the line. */
  constructor(streams: KeyboardStreams, onInterrupt: () => void) {
    this.#streams = streams;
    this.#onInterrupt = onInterrupt;
    this.#lines = this.isTerminal ? null : createInterface({ input: streams.input })[Symbol.asyncIterator]();
    if (this.isTerminal) this.#takeTerminal();
  }

  /** Whether there is a person to ask. */
  get isTerminal(): boolean {
    return this.#streams.input.isTTY === true;
  }

  /**
   * Shows output above the line that is being edited, if any.
   *
   * @param endLine - Ends the last line of the output. Called after `show` if a line is being edited.
   */
  writeAbove(show: () => void, endLine: () => void): void {
    const { output } = this.#streams;
    const editor = this.#activePrompt?.editor;
    if (editor === undefined) return show();
    moveCursor(output, 0, -editor.getCursorPos().rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    show();
    endLine();
    // Reset, because the editor would otherwise move up by the rows that it assumes are above.
    (editor as { prevRows?: number }).prevRows = 0;
    editor.prompt(true);
  }

  /** Returns the next line that is not blank, or null if there are no more. */
  async next(): Promise<string | null> {
    while (!this.#isOver) {
      await this.#picking;
      const line = this.#lines === null ? await this.#ask(PROMPT, this.#history) : await this.#piped();
      if (line === null) this.#isOver = true;
      const text = restoreText(line ?? '').trim();
      if (text !== '') return text;
    }
    return null;
  }

  /**
   * Asks for a choice by its number, counted from 1. Resolves to null if there is no longer anyone to ask. Must be
   * called when the question is shown, because text typed before the call does not answer it. A line that is being
   * edited is kept for later.
   *
   * @param signal - Aborts when the question is withdrawn.
   */
  pick(choices: number, signal: AbortSignal): Promise<number | null> {
    const picked = this.isTerminal && choices > 0 ? this.#pick(choices, signal) : Promise.resolve(null);
    this.#picking = picked;
    return picked;
  }

  close(): void {
    this.#isOver = true;
    this.#activePrompt?.end(null);
    if (this.isTerminal) this.#leaveTerminal();
    else this.#streams.input.pause();
  }

  async #pick(choices: number, signal: AbortSignal): Promise<number | null> {
    this.#typedAhead = `${this.#activePrompt?.editor.line ?? ''}${this.#typedAhead}`;
    this.#activePrompt?.end(undefined);
    await allRead();
    for (let words = rangeOf(choices); !this.#isOver && !signal.aborted; words = allOf(choices)) {
      const off = () => this.#activePrompt?.end(undefined);
      signal.addEventListener('abort', off, { once: true });
      const line = await this.#ask(`  ${words}, then Enter: `, null);
      signal.removeEventListener('abort', off);
      if (line === null) this.#isOver = true;
      const number = /^\d{1,3}$/.test(line?.trim() ?? '') ? Number(line) : 0;
      if (number >= 1 && number <= choices) return number - 1;
    }
    return null;
  }

  async #piped(): Promise<string | null> {
    const { value, done } = (await this.#lines!.next()) as IteratorResult<string, undefined>;
    return done === true ? null : value;
  }

  /**
   * Reads one line.
   *
   * @param history - Null for an answer, which is neither added to the history nor read from text typed ahead.
   */
  #ask(prompt: string, history: string[] | null): Promise<string | null | undefined> {
    return new Promise((resolve) => {
      const { output } = this.#streams;
      const keys = new PassThrough();
      const editor = createInterface({
        ...{ input: keys, output, prompt, terminal: true, history: [...(history ?? [])], historySize: HISTORY_LINES },
      });
      const end = (line: string | null | undefined) => {
        if (this.#activePrompt?.keys !== keys) return;
        this.#activePrompt = null;
        editor.close();
        if (typeof line === 'string' && line !== '' && history?.[0] !== line) history?.unshift(line);
        if (typeof line !== 'string') output.write('\r\n');
        resolve(line);
      };
      this.#activePrompt = { keys, editor, end };
      editor.on('line', end).on('close', () => end(null));
      editor.on('SIGINT', () => this.#interrupt(editor)).on('SIGTSTP', () => {});
      editor.prompt();
      if (history !== null) keys.write(this.#aheadLine());
    });
  }

  /** Handles Ctrl-C. If the line contains text, clears the line instead of ending the program. */
  #interrupt(editor: Interface): void {
    if (editor.line === '') return this.#cancelled();
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
  }

  readonly #onKeys = (text: string): void => this.#take(this.#pasteDecoder.decode(text));

  #take(keys: string): void {
    if (this.#activePrompt === null) {
      if (keys.includes(CTRL_C)) this.#cancelled();
      else this.#typedAhead = (this.#typedAhead + keys).slice(0, MAX_AHEAD_CHARS);
      return;
    }
    const line = firstLine(keys);
    this.#activePrompt.keys.write(line);
    // Keys that arrive together with the line are not part of the answer.
    if (line.length < keys.length) setImmediate(() => this.#take(keys.slice(line.length)));
  }

  /** Discards text typed ahead, because a person who cancels does not want it to run. */
  #cancelled(): void {
    this.#typedAhead = '';
    this.#onInterrupt();
  }

  /** Removes and returns the first line of the text typed ahead, whether it is complete or not. */
  #aheadLine(): string {
    const line = firstLine(this.#typedAhead);
    this.#typedAhead = this.#typedAhead.slice(line.length);
    return line;
  }

  readonly #onHangup = (): void => this.close();

  readonly #markNoPastes = (): void => void this.#streams.output.write(MARK_PASTES_OFF);

  #takeTerminal(): void {
    const { input, output } = this.#streams;
    input.setEncoding('utf8');
    input.setRawMode?.(true);
    input.on('data', this.#onKeys).on('end', this.#onHangup);
    process.on('exit', this.#markNoPastes);
    output.write(MARK_PASTES_ON);
  }

  /** Turns off the marking of pasted text, which the next program that reads the terminal may not support. */
  #leaveTerminal(): void {
    const { input } = this.#streams;
    input.off('data', this.#onKeys).off('end', this.#onHangup).pause();
    input.setRawMode?.(false);
    process.off('exit', this.#markNoPastes);
    this.#markNoPastes();
  }
}

/** Returns the first line, including its line ending if it has one. */
function firstLine(keys: string): string {
  return /^[^\r\n]*[\r\n]?/.exec(keys)![0];
}

/** Resolves when everything typed before the call has been read, some of which may still be in the kernel. */
async function allRead(): Promise<void> {
  // The first turn may come before the event loop has polled for input; the second comes after that.
  for (let turns = 0; turns < 2; turns++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Formats a range of choices: `1–3`. */
function rangeOf(choices: number): string {
  return choices === 1 ? '1' : `1–${choices}`;
}

/** Lists all choices: `1, 2 or 3`. */
function allOf(choices: number): string {
  if (choices > FEW_CHOICES) return `A number from 1 to ${choices}`;
  const numbers = Array.from({ length: choices }, (_, index) => index + 1);
  return [numbers.slice(0, -1).join(', '), numbers.at(-1)].filter(Boolean).join(' or ');
}
