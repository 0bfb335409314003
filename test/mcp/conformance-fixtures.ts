/** The tools, resources and prompts that the official conformance suite requires by name. */
import { completable, fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ABOUT, addRequests, addRounds, STATES } from './conformance-questions.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const TEXT = { type: 'text', text: 'This is a simple text response for testing.' } as const;
const IMAGE = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const EMBEDDED = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' },
} as const;

export function buildFixtures(): McpServer {
  const requestState = { verify: STATES.verify.bind(STATES) };
  const server = new McpServer({ name: 'fixtures', version: '1' }, { capabilities: { logging: {} }, requestState });
  addTools(server);
  addOtherTools(server);
  addRequests(server);
  addRounds(server);
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
  for (const [name, result] of Object.entries(tools)) server.registerTool(name, ABOUT, () => result);
  server.registerTool('test_tool_with_progress', ABOUT, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: progressToken ?? '', progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [TEXT] };
  });
}

/** Every keyword of this JSON Schema must be preserved. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** An argument that must appear in a header, too. */
const IN_HEADER = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } as const;

function addOtherTools(server: McpServer): void {
  for (const name of ['test_streaming_elicitation', 'test_logging_tool']) {
    server.registerTool(name, ABOUT, () => ({ content: [TEXT] }));
  }
  server.registerTool('json_schema_2020_12_tool', { ...ABOUT, inputSchema: fromJsonSchema(SCHEMA) }, () => ({
    content: [TEXT],
  }));
  server.registerTool('test_header', { ...ABOUT, inputSchema: fromJsonSchema(IN_HEADER) }, () => ({ content: [TEXT] }));
  server.registerTool('test_tool_with_logging', ABOUT, async ({ mcpReq }) => {
    for (const what of ['execution started', 'processing data', 'execution completed']) {
      await mcpReq.log('info', `Tool ${what}`);
    }
    return { content: [TEXT] };
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
  server.registerPrompt('test_simple_prompt', ABOUT, () => ({ messages: [user(TEXT)] }));
  server.registerPrompt('test_prompt_with_image', ABOUT, () => ({ messages: [user(IMAGE), user(TEXT)] }));
  const resourceUri = z.object({ resourceUri: z.string() });
  server.registerPrompt('test_prompt_with_embedded_resource', { ...ABOUT, argsSchema: resourceUri }, () => ({
    messages: [user(EMBEDDED), user(TEXT)],
  }));
  const argsSchema = z.object({ arg1: completable(z.string(), () => ['test']), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { ...ABOUT, argsSchema }, ({ arg1, arg2 }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `arg1='${arg1}', arg2='${arg2}'` } }],
  }));
}
