/**
 * Anthropic's messages API, as far as agents use it: parses requests and formats streamed answers. Makes no decisions.
 */
import type { ModelCall, ModelConversation, ModelReply } from './conversation.js';
import { wordsOf } from './conversation.js';

interface Block {
  readonly type: string;
  readonly content?: unknown;
}

interface MessagesRequest {
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly content: string | readonly Block[] }[];
}

export const MESSAGES_PATH = /^\/v1\/messages$/;

export function readMessages(body: unknown): ModelConversation {
  const { tools = [], messages } = body as MessagesRequest;
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return {
    tools: tools.map(({ name }) => name),
    results: blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => wordsOf(content)),
  };
}

/** Formats the answer as a stream of server-sent events. */
export function writeMessages(reply: ModelReply): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    ...{ id: reply.id, type: 'message', role: 'assistant', model: 'scripted', content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage },
  };
  const blocks = reply.kind === 'text' ? [textBlock(reply)] : reply.calls.map(toolBlock);
  const reason = reply.kind === 'text' ? 'end_turn' : 'tool_use';
  const events = [
    { type: 'message_start', message },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function textBlock({ text }: ModelReply & { kind: 'text' }) {
  return { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } };
}

function toolBlock({ id, tool, input }: ModelCall) {
  return {
    start: { type: 'tool_use', id, name: tool, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  };
}
