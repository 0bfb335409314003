/**
 * Formats the tool's results: the facts as a JSON object on one line, then the output as text. An error consists of the
 * object alone. Clients cut off the end of long results and show only the first block of an error, so the essential
 * parts come first. There is no `structuredContent`, because clients that find it ignore the text.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { explainError } from './advised-error.js';
import { cutMiddle } from './cut-middle.js';
import { boundedJson } from './facts.js';
import type { Metadata } from './facts.js';

export type { Metadata } from './facts.js';

/** Maximum length of a result without pictures. No known client truncates results of this length. */
export const MAX_ANSWER_CHARS = 24_000;
/** Maximum length of the output, excluding the notes about gaps. The rest is reserved for the facts. */
export const MAX_OUTPUT_CHARS = 22_000;
/** Maximum length of the facts if the output takes up all the other space. */
const MAX_FACTS_CHARS = 6000;
/** Stands for empty output, because model APIs reject text blocks without text. */
const NO_OUTPUT = '(no output)';

/** The result of a call. */
export interface ToolAnswer {
  readonly facts: Metadata;
  /** Null for an error, which consists of facts only. */
  readonly text: string | null;
  readonly pictures: CallToolResult['content'];
}

export function answer(text: string, facts: Metadata, ...pictures: CallToolResult['content']): ToolAnswer {
  return { facts, text: text.trim() === '' ? NO_OUTPUT : text, pictures };
}

/**
 * Returns the result for an error: what is wrong, and what to do next.
 *
 * @param number - The terminal's number, if the caller identifies the terminal by that instead of its id.
 */
export function failure(error: unknown, number?: number): ToolAnswer {
  return { facts: explainError(error, number), text: null, pictures: [] };
}

/** Converts a result to the protocol's format, and limits it to a length that clients do not truncate. */
export function rendered({ facts, text, pictures }: ToolAnswer): CallToolResult {
  if (text === null) return { content: [factsBlock(facts)], isError: true };
  const block = factsBlock(facts, MAX_ANSWER_CHARS - text.length);
  if (block.text.length + text.length <= MAX_ANSWER_CHARS) return { content: [block, textBlock(text), ...pictures] };
  const cut = factsBlock({ ...facts, truncated: true });
  return { content: [cut, textBlock(cutMiddle(text, MAX_ANSWER_CHARS - cut.text.length)), ...pictures] };
}

/** Ends with a line feed, because some clients concatenate blocks without a separator. */
function factsBlock(metadata: Metadata, room = 0): { type: 'text'; text: string } {
  return textBlock(`${boundedJson(metadata, Math.max(MAX_FACTS_CHARS, room - 1))}\n`);
}

function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}
