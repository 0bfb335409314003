/** Sends answers to questions, and tracks the result of each. */
import { signal } from '@preact/signals';
import { ApiError } from 'tenacitty/client';
import { client } from '../access.js';

export const SENT = 'sent, waiting for the program';
const GONE = 'It no longer asks. Nothing was typed.';

/** The page's message about each question, by the question's id. */
export const said = signal<ReadonlyMap<string, string>>(new Map());

function say(question: string, words: string): void {
  said.value = new Map(said.peek()).set(question, words);
}

/** Types the answer only if the terminal is still waiting for it. The text is not stored. */
export async function answer(terminal: string, question: string, text: string): Promise<void> {
  say(question, SENT);
  try {
    await client.answer(terminal, { waiting: question, text });
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'NOT_WAITING';
    say(question, isGone ? GONE : `Not sent: ${error instanceof ApiError ? error.message : 'no connection'}`);
  }
}
