/**
 * The format of the tool's results: first the facts as a JSON object on one line, then the output as text. An error
 * consists of the object alone. Clients shorten long results at the end and show only the first block of an error, so
 * the essential parts come first. There is no `structuredContent`, because clients that see it drop the text.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { explainError } from './advised-error.js';
import { cutMiddle } from './cut-middle.js';
import { boundedJson } from './facts.js';
import type { Metadata } from './facts.js';

export type { Metadata } from './facts.js';

/** Maximum length of a result without pictures. No known client shortens results of up to this length. */
export const MAX_ANSWER_CHARS = 24_000;
/** Maximum length of output, without the notes about gaps. The rest is reserved for the facts. */
export const MAX_OUTPUT_CHARS = 22_000;
/** Maximum length of the facts if the output uses the rest. */
const MAX_FACTS_CHARS = 6000;
/** Model APIs reject text blocks without text. */
const NO_OUTPUT = '(no output)';

/** The result of a call. */
export interface ToolAnswer {
  readonly facts: Metadata;
  /** Null for an error, which has only facts. */
  readonly text: string | null;
  readonly pictures: CallToolResult['content'];
}

export function answer(text: string, facts: Metadata, ...pictures: CallToolResult['content']): ToolAnswer {
  return { facts, text: text.trim() === '' ? NO_OUTPUT : text, pictures };
}

/**
 * Returns the result for an error: what is wrong, and what to do next.
 *
 * @param number - The terminal's number, if the caller uses that instead of its id.
 */
export function failure(error: unknown, number?: number): ToolAnswer {
  return { facts: explainError(error, number), text: null, pictures: [] };
}

/** Renders a result in the protocol's format, within the length that clients do not shorten. */
export function rendered({ facts, text, pictures }: ToolAnswer): CallToolResult {
  if (text === null) return { content: [factsBlock(facts)], isError: true };
  const block = factsBlock(facts, MAX_ANSWER_CHARS - text.length);
  if (block.text.length + text.length <= MAX_ANSWER_CHARS) return { content: [block, textBlock(text), ...pictures] };
  const cut = factsBlock({ ...facts, truncated: true });
  return { content: [cut, textBlock(cutMiddle(text, MAX_ANSWER_CHARS - cut.text.length)), ...pictures] };
}

/** Ends in a line feed, because some clients concatenate blocks without a separator. */
function factsBlock(metadata: Metadata, room = 0): { type: 'text'; text: string } {
  return textBlock(`${boundedJson(metadata, Math.max(MAX_FACTS_CHARS, room - 1))}\n`);
}

function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}
