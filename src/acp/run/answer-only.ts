/**
 * Of a talk only what the agent answers, for whoever goes on with it in a script; what goes wrong is said aside. It knows
 * neither the agent nor where the text goes.
 */
import { harmless, harmlessLine } from '../harmless.js';
import type { RunEvent } from './events.js';
import { stopInWords } from './stop.js';

const MAX_WARNING_CHARS = 300;
/** What a person would have seen between two pieces of text: they are no longer one. */
const BREAKS: readonly RunEvent['type'][] = ['tool', 'plan', 'thought', 'question', 'terminal_started'];

export class AnswerOnly {
  #isAtLineStart = true;

  constructor(
    readonly write: (text: string) => void,
    readonly aside: (words: string) => void,
  ) {}

  take(event: RunEvent): void {
    if (event.type === 'message') this.#add(harmless(event.text));
    else if (event.type === 'warning') this.aside(harmlessLine(event.text, MAX_WARNING_CHARS));
    else if (event.type === 'stop') this.#stop(event.reason);
    else if (BREAKS.includes(event.type)) this.endLine();
  }

  /** Begins a new line, if one is under way. */
  endLine(): void {
    if (!this.#isAtLineStart) this.#add('\n');
  }

  #add(text: string): void {
    if (text === '') return;
    this.write(text);
    this.#isAtLineStart = text.endsWith('\n');
  }

  #stop(reason: string): void {
    const words = stopInWords(reason);
    if (words !== null) this.aside(words);
  }
}
