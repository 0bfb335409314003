/**
 * A person at a keyboard, or a pipe with a line for each turn: lines, one at a time, and single keys where something is
 * asked. It knows neither the agent nor what the lines mean.
 */
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';

export interface KeyboardStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

interface Key {
  readonly sequence?: string;
}

const PROMPT = '> ';
const HISTORY_LINES = 1000;

export class Keyboard {
  readonly #input: KeyboardStreams['input'];
  readonly #lines: Interface;
  readonly #waiting: string[] = [];
  #isOver = false;
  #wake: (() => void) | null = null;
  #pick: ((index: number) => void) | null = null;
  /** How many there are to pick from. */
  #choices = 0;

  /**
   * @param streams - Where keys come from, and where they are echoed. History is kept in memory.
   * @param onInterrupt - Ctrl-C, at a terminal.
   * @param onCommand - Told of each line as it comes; answers whether it is dealt with.
   */
  constructor(streams: KeyboardStreams, onInterrupt: () => void, onCommand: (line: string) => boolean) {
    this.#input = streams.input;
    const terminal = streams.input.isTTY === true;
    this.#lines = createInterface({ ...streams, terminal, prompt: PROMPT, historySize: HISTORY_LINES });
    this.#lines.on('line', (line) => this.#onLine(line.trim(), onCommand));
    this.#lines.on('close', () => this.#onClose());
    this.#lines.on('SIGINT', onInterrupt);
    this.#input.on('keypress', this.#onKey);
  }

  /** Whether a person can be asked. */
  get isTerminal(): boolean {
    return this.#input.isTTY === true;
  }

  /** The next line that says something; null when there are no more. */
  async next(): Promise<string | null> {
    if (this.isTerminal && this.#waiting.length === 0 && !this.#isOver) this.#lines.prompt();
    while (this.#waiting.length === 0 && !this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#waiting.shift() ?? null;
  }

  /** What has been typed and not entered is gone. */
  clearLine(): void {
    this.#lines.write(null, { ctrl: true, name: 'e' });
    this.#lines.write(null, { ctrl: true, name: 'u' });
  }

  /**
   * Which one of so many is picked, by its number from 1; null if nobody can be asked any more.
   *
   * @param signal - Aborted when the question is off.
   */
  pick(choices: number, signal: AbortSignal): Promise<number | null> {
    if (!this.isTerminal || this.#isOver || signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const done = (index: number | null) => {
        this.#pick = null;
        resolve(index);
      };
      this.#choices = choices;
      this.#pick = done;
      signal.addEventListener('abort', () => done(null), { once: true });
      this.#lines.once('close', () => done(null));
    });
  }

  close(): void {
    this.#input.off('keypress', this.#onKey);
    this.#lines.close();
  }

  readonly #onKey = (_text: string | undefined, { sequence = '' }: Key): void => {
    const number = /^[1-9]$/.test(sequence) ? Number(sequence) : 0;
    if (this.#pick === null || number < 1 || number > this.#choices) return;
    // It is no part of a line.
    this.clearLine();
    this.#pick(number - 1);
  };

  #onLine(line: string, onCommand: (line: string) => boolean): void {
    if (line === '' || onCommand(line)) {
      if (this.isTerminal && this.#wake !== null) this.#lines.prompt();
      return;
    }
    this.#waiting.push(line);
    this.#wakeUp();
  }

  #onClose(): void {
    this.#isOver = true;
    this.#wakeUp();
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
