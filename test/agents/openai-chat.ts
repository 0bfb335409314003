/** OpenAI's chat API, as far as agents use it: parses requests and formats streamed answers. Makes no decisions. */
import type { ModelCall, ModelConversation, ModelReply } from './conversation.js';
import { wordsOf } from './conversation.js';

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

interface ChatRequest {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly Message[];
}

export const CHAT_PATH = /^\/v1\/chat\/completions$/;

export function readChat(body: unknown): ModelConversation {
  const { tools = [], messages } = body as ChatRequest;
  return {
    tools: tools.map((tool) => tool.function.name),
    results: messages.filter(({ role }) => role === 'tool').map(({ content }) => wordsOf(content)),
  };
}

/** Formats the answer as a stream of server-sent events. */
export function writeChat(reply: ModelReply): string {
  const delta =
    reply.kind === 'text'
      ? { role: 'assistant', content: reply.text }
      : { role: 'assistant', content: null, tool_calls: reply.calls.map(toolCall) };
  const reason = reply.kind === 'text' ? 'stop' : 'tool_calls';
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  ];
  const head = { id: reply.id, object: 'chat.completion.chunk', created: 0, model: 'scripted' };
  return [...chunks.map((chunk) => JSON.stringify({ ...head, ...chunk })), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

function toolCall({ id, tool, input }: ModelCall, index: number) {
  return { index, id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } };
}
