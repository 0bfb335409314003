/**
 * OpenAI's responses API, as far as agents use it: parses requests and formats streamed answers. Makes no decisions.
 */
import type { ModelCall, ModelConversation, ModelReply } from './conversation.js';
import { wordsOf } from './conversation.js';

interface Tool {
  readonly type: string;
  readonly name?: string;
  /** The tools of a namespace. */
  readonly tools?: readonly { readonly name: string }[];
}

interface ResponsesRequest {
  readonly tools?: readonly Tool[];
  readonly input: readonly { readonly type: string; readonly output?: unknown }[];
}

export const RESPONSES_PATH = /^\/v1\/responses$/;
/** Separates a namespace from a tool's name in it; not part of the API. */
const IN = '/';

export function readResponses(body: unknown): ModelConversation {
  const { tools = [], input } = body as ResponsesRequest;
  return {
    tools: tools.flatMap(
      ({ type, name = type, tools: inner }) => inner?.map((tool) => name + IN + tool.name) ?? [name],
    ),
    results: input.filter(({ type }) => type === 'function_call_output').map(({ output }) => wordsOf(output)),
  };
}

/** Formats the answer as a stream of server-sent events. */
export function writeResponses(reply: ModelReply): string {
  const items = reply.kind === 'text' ? [messageItem(reply.text)] : reply.calls.map(callItem);
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const events = [
    { type: 'response.created', response: { id: reply.id } },
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { id: reply.id, usage } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function messageItem(text: string) {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
}

function callItem({ id, tool, input }: ModelCall) {
  const [name, namespace] = tool.split(IN).reverse();
  return { type: 'function_call', call_id: id, name, namespace, arguments: JSON.stringify(input) };
}
