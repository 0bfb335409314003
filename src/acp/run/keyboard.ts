/**
 * A person at a keyboard, or a pipe with a line for each turn: lines, one at a time, and answers where something is asked.
 * It knows neither the agent nor what the lines mean.
 */
import { BottomLine } from './bottom-line.js';
import type { KeyboardStreams } from './bottom-line.js';
import { meant } from './keys.js';

export interface KeyboardListener {
  /** Ctrl-C, at a terminal, but where it clears the line. */
  onInterrupt(): void;
  /** Told of each line as it comes, but for answers; answers whether it is dealt with. */
  onCommand(line: string): boolean;
  /** A person has entered a line that nobody waits for yet. */
  onQueued(line: string): void;
}

/** What is said, in a turn of its own. */
export interface Line {
  readonly text: string;
  /** Whether a person has entered it before it was asked for. */
  readonly isQueued: boolean;
}

interface Question {
  readonly choices: number;
  /** @param index - Which one was picked; null: none, the question is off. */
  end(index: number | null): void;
}

/** As many are named one by one. */
const FEW_CHOICES = 4;

export class Keyboard {
  readonly #bottom: BottomLine;
  readonly #listener: KeyboardListener;
  readonly #waiting: Line[] = [];
  #isOver = false;
  #wake: (() => void) | null = null;
  #question: Question | null = null;

  /** @param streams - Where keys come from, and where they are echoed. History is kept in memory. */
  constructor(streams: KeyboardStreams, listener: KeyboardListener) {
    this.#listener = listener;
    this.#bottom = new BottomLine(streams);
    const { lines } = this.#bottom;
    lines.on('line', (line) => this.#onLine((this.isTerminal ? meant(line) : line).trim()));
    lines.on('close', () => this.#onClose());
    lines.on('SIGINT', () => this.#onInterrupt());
    // An answer is nothing to be said again.
    lines.on('history', (history) => this.#question && history.shift());
  }

  /** Whether a person can be asked. */
  get isTerminal(): boolean {
    return this.#bottom.isTerminal;
  }

  /** Shows something, out of the way of what is typed. @param show - Answers whether it ends in a line end. */
  above(show: () => boolean): void {
    this.#bottom.above(show);
  }

  /** The next line that says something; null when there are no more. */
  async next(): Promise<Line | null> {
    while (this.#waiting.length === 0 && !this.#isOver) await this.#line();
    return this.#waiting.shift() ?? null;
  }

  /** What was entered and not asked for yet is forgotten. Answers with it. */
  dropQueue(): Line[] {
    return this.isTerminal ? this.#waiting.splice(0) : [];
  }

  /**
   * Which one of so many is picked, by a line with its number from 1; null if nobody can be asked any more. To be called when
   * the question is shown: what was typed before that answers nothing, and what is half typed is put by until there is an
   * answer.
   *
   * @param signal - Aborted when the question is off.
   */
  async pick(choices: number, signal: AbortSignal): Promise<number | null> {
    if (!this.isTerminal || choices < 1) return null;
    await allRead();
    if (this.#isOver || signal.aborted) return null;
    return new Promise((resolve) => {
      const typed = this.#bottom.putBy();
      const off = () => this.#question?.end(null);
      const end = (index: number | null) => {
        this.#question = null;
        signal.removeEventListener('abort', off);
        this.#comeBack(typed);
        resolve(index);
      };
      this.#question = { choices, end };
      signal.addEventListener('abort', off, { once: true });
      this.#bottom.ask(`  ${rangeOf(choices)}, then Enter: `);
    });
  }

  close(): void {
    this.#bottom.lines.close();
  }

  #line(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#question === null) this.#bottom.ask();
    });
  }

  #comeBack(typed: string): void {
    this.#bottom.putBy();
    this.#bottom.takeUp(typed);
    if (this.#wake === null) this.#bottom.rest();
    else this.#bottom.ask();
  }

  #onLine(line: string): void {
    if (this.#question !== null) return this.#onAnswer(this.#question, line);
    if (line === '' || this.#listener.onCommand(line)) {
      if (this.#wake !== null) this.#bottom.ask();
      return;
    }
    const isQueued = this.isTerminal && this.#wake === null;
    this.#waiting.push({ text: line, isQueued });
    if (isQueued) this.#listener.onQueued(line);
    this.#wakeUp();
  }

  #onAnswer(question: Question, line: string): void {
    const number = /^\d{1,3}$/.test(line) ? Number(line) : 0;
    if (number >= 1 && number <= question.choices) return question.end(number - 1);
    const isCommand = line !== '' && this.#listener.onCommand(line);
    // It may be off by that.
    if (this.#question !== question) return;
    const words = isCommand ? rangeOf(question.choices) : allOf(question.choices);
    this.#bottom.ask(`  ${words}, then Enter: `);
  }

  /** A line that is not to be said after all is no reason to end. */
  #onInterrupt(): void {
    const isTyping = this.#wake !== null && this.#question === null && this.#bottom.lines.line !== '';
    if (isTyping) this.#bottom.clear();
    else this.#listener.onInterrupt();
  }

  #onClose(): void {
    this.#isOver = true;
    this.#question?.end(null);
    this.#wakeUp();
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = null;
    this.#bottom.rest();
    wake?.();
  }
}

/** Resolves when all that was typed before has been read: some of it may still be on its way through the kernel. */
async function allRead(): Promise<void> {
  // The first may come before the event loop has looked for input, the second comes after it.
  for (let turns = 0; turns < 2; turns++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** `1–3`. */
function rangeOf(choices: number): string {
  return choices === 1 ? '1' : `1–${choices}`;
}

/** `1, 2 or 3`. */
function allOf(choices: number): string {
  if (choices > FEW_CHOICES) return `A number from 1 to ${choices}`;
  const numbers = Array.from({ length: choices }, (_, index) => index + 1);
  return [numbers.slice(0, -1).join(', '), numbers.at(-1)].filter(Boolean).join(' or ');
}
