/** Answers on their way: what was sent to which question, and what became of it. */
import { signal } from '@preact/signals';
import { ApiError } from 'tenacitty/client';
import { client } from '../access.js';

export const SENT = 'sent, waiting for the program';
const GONE = 'It no longer asks. Nothing was typed.';

/** What the page says about a question, by the id of the question. */
export const said = signal<ReadonlyMap<string, string>>(new Map());

function say(question: string, words: string): void {
  said.value = new Map(said.peek()).set(question, words);
}

/** Types the answer only if the terminal still waits for it. The text is kept nowhere. */
export async function answer(terminal: string, question: string, text: string): Promise<void> {
  say(question, SENT);
  try {
    await client.answer(terminal, { waiting: question, text });
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'NOT_WAITING';
    say(question, isGone ? GONE : `Not sent: ${error instanceof ApiError ? error.message : 'no connection'}`);
  }
}
