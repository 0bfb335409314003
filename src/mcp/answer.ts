/**
 * The form of what the tool answers: first what is known, as a JSON object on one line, then the output as text; an
 * error is the object alone. Clients shorten long answers at their end, and show the first block of an error and nothing
 * else: so what must arrive stands first. No `structuredContent`: clients that see it drop the text.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { explained } from './advice.js';
import { cutMiddle } from './cut.js';
import { bounded } from './facts.js';
import type { Metadata } from './facts.js';

export type { Metadata } from './facts.js';

/** All of an answer but pictures: no client that is known shortens what has no more. */
export const MAX_ANSWER_CHARS = 24_000;
/** Output, before what is said of its left-out parts: the facts have to have room beside it. */
export const MAX_OUTPUT_CHARS = 22_000;
/** Facts, where the output takes the rest. */
const MAX_FACTS_CHARS = 6000;
/** Text blocks without text are refused by the interfaces of models. */
const NO_OUTPUT = '(no output)';

/** What a call is answered with. */
export interface Answer {
  readonly facts: Metadata;
  /** Null for an error, which has facts only. */
  readonly text: string | null;
  readonly pictures: CallToolResult['content'];
}

export function answer(text: string, facts: Metadata, ...pictures: CallToolResult['content']): Answer {
  return { facts, text: text.trim() === '' ? NO_OUTPUT : text, pictures };
}

/**
 * Something that could not be done: what is wrong, and what to do next.
 *
 * @param number - Of the terminal, where the caller knows it by that and not by its id.
 */
export function failure(error: unknown, number?: number): Answer {
  return { facts: explained(error, number), text: null, pictures: [] };
}

/** In the form of the protocol, within the length that clients do not shorten. */
export function rendered({ facts, text, pictures }: Answer): CallToolResult {
  if (text === null) return { content: [factsBlock(facts)], isError: true };
  const block = factsBlock(facts, MAX_ANSWER_CHARS - text.length);
  if (block.text.length + text.length <= MAX_ANSWER_CHARS) return { content: [block, textBlock(text), ...pictures] };
  const cut = factsBlock({ ...facts, truncated: true });
  return { content: [cut, textBlock(cutMiddle(text, MAX_ANSWER_CHARS - cut.text.length)), ...pictures] };
}

/** With the end of its line: some clients put blocks together as they are. */
function factsBlock(metadata: Metadata, room = 0): { type: 'text'; text: string } {
  return textBlock(`${bounded(metadata, Math.max(MAX_FACTS_CHARS, room - 1))}\n`);
}

function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}
