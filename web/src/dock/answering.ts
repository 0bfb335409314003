/** Sends answers to questions, and tracks the result of each. */
import { signal } from '@preact/signals';
import { ApiError } from 'tenacitty/client';
import { client } from '../access.js';
import { announce } from '../ui/announcing.js';

export const SENT = 'Sent. Waiting for the program.';
const GONE = 'The program is no longer asking. Nothing was typed.';

/** The message to show for each question, keyed by the question's id. */
export const said = signal<ReadonlyMap<string, string>>(new Map());

function say(question: string, words: string): void {
  said.value = new Map(said.peek()).set(question, words);
  announce(words);
}

/**
 * Sends the answer, which the server types only if the program is still asking this question. Does not keep the text.
 */
export async function answer(terminal: string, question: string, text: string): Promise<void> {
  say(question, SENT);
  try {
    await client.answer(terminal, { waiting: question, text });
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'NOT_WAITING';
    say(question, isGone ? GONE : `Not sent: ${error instanceof ApiError ? error.message : 'no connection'}`);
  }
}
