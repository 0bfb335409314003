/** The tools, resources and prompts that the official conformance suite asks a server for by name. */
import { completable, inputRequired, inputResponse, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const TEXT = { type: 'text', text: 'This is a simple text response for testing.' } as const;
const IMAGE = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const EMBEDDED = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' },
} as const;

export function buildFixtures(): McpServer {
  const server = new McpServer({ name: 'fixtures', version: '1' });
  addTools(server);
  addInputTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  const tools: Record<string, CallToolResult> = {
    test_simple_text: { content: [TEXT] },
    test_image_content: { content: [IMAGE] },
    test_audio_content: { content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] },
    test_embedded_resource: { content: [EMBEDDED] },
    test_multiple_content_types: { content: [TEXT, IMAGE, EMBEDDED] },
    test_error_handling: { content: [TEXT], isError: true },
  };
  for (const [name, result] of Object.entries(tools)) server.registerTool(name, {}, () => result);
  server.registerTool('test_tool_with_progress', {}, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: progressToken ?? '', progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [TEXT] };
  });
}

function addInputTools(server: McpServer): void {
  server.registerTool('test_missing_capability', {}, () => {
    const message = { role: 'user', content: { type: 'text', text: 'Hello' } } as const;
    const sampled = inputRequired.createMessage({ messages: [message], maxTokens: 1 });
    return inputRequired({ inputRequests: { sampled } });
  });
  for (const name of ['test_streaming_elicitation', 'test_logging_tool']) {
    server.registerTool(name, {}, () => ({ content: [TEXT] }));
  }
  server.registerTool('test_input_required_result_elicitation', {}, ({ mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, 'user_name');
    if (response.kind === 'elicit') {
      return { content: [{ type: 'text', text: `Hello, ${String(response.content?.['name'])}!` }] };
    }
    const asked = inputRequired.elicit({
      message: 'What is your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    return inputRequired({ inputRequests: { user_name: asked } });
  });
}

function addResources(server: McpServer): void {
  const text = { mimeType: 'text/plain' };
  server.registerResource('text', 'test://static-text', text, ({ href }) => ({
    contents: [{ uri: href, ...text, text: 'This is the content of the static text resource.' }],
  }));
  const image = { mimeType: 'image/png' };
  server.registerResource('binary', 'test://static-binary', image, ({ href }) => ({
    contents: [{ uri: href, ...image, blob: PIXEL }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const json = { mimeType: 'application/json' };
  server.registerResource('template', template, json, ({ href }, { id }) => ({
    contents: [{ uri: href, ...json, text: JSON.stringify({ id, templateTest: true }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const user = (content: typeof TEXT | typeof IMAGE | typeof EMBEDDED) => ({ role: 'user' as const, content });
  server.registerPrompt('test_simple_prompt', {}, () => ({ messages: [user(TEXT)] }));
  server.registerPrompt('test_prompt_with_image', {}, () => ({ messages: [user(IMAGE), user(TEXT)] }));
  const resourceUri = z.object({ resourceUri: z.string() });
  server.registerPrompt('test_prompt_with_embedded_resource', { argsSchema: resourceUri }, () => ({
    messages: [user(EMBEDDED), user(TEXT)],
  }));
  const argsSchema = z.object({ arg1: completable(z.string(), () => ['test']), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { argsSchema }, ({ arg1, arg2 }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `arg1='${arg1}', arg2='${arg2}'` } }],
  }));
}
