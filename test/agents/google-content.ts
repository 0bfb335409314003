/**
 * Google's content generation API, as far as agents use it: parses requests and formats streamed answers. Makes no
 * decisions.
 */
import type { ModelConversation, ModelReply } from './conversation.js';

interface Part {
  readonly functionResponse?: { readonly response: { readonly output?: string } };
}

interface ContentRequest {
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly contents: readonly { readonly parts: readonly Part[] }[];
}

/** Other requests, such as those that select a model, get a plain answer; agents work without it. */
export const CONTENT_PATH = /^\/v1beta\/models\/[^/]+:streamGenerateContent$/;

export function readContent(body: unknown): ModelConversation {
  const { tools = [], contents } = body as ContentRequest;
  const responses = contents.flatMap(({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse ?? []));
  return {
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    results: responses.map(({ response }) => response.output ?? JSON.stringify(response)),
  };
}

/** Formats the answer as a stream of one server-sent event. */
export function writeContent(reply: ModelReply): string {
  const parts =
    reply.kind === 'text'
      ? [{ text: reply.text }]
      : reply.calls.map(({ id, tool, input }) => ({ functionCall: { id, name: tool, args: input } }));
  const candidates = [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }];
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return `data: ${JSON.stringify({ candidates, usageMetadata })}\n\n`;
}
