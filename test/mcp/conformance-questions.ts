/**
 * Tools and prompts of the official conformance suite that ask the client something during a call: as requests of the
 * server in the revisions with a handshake, and as an incomplete result in the 2026 revision.
 */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  ClientCapabilities,
  ElicitRequestFormParams,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The suite requires a description for each of them. */
export const ABOUT = { description: 'For the conformance suite.' } as const;

/** Also validates the state that is returned. */
export const STATES = createRequestStateCodec<string>({ key: 'a key of thirty-two characters, or more' });

type Form = ElicitRequestFormParams['requestedSchema'];

const ENUMS: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};

const DEFAULTS: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

function titled(what: string) {
  return ['First', 'Second', 'Third'].map((which, at) => ({ const: `value${at + 1}`, title: `${which} ${what}` }));
}

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function line(message: string, name: string) {
  const requestedSchema: Form = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
  return inputRequired.elicit({ message, requestedSchema });
}

function sampled(text: string, maxTokens = 100) {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
}

export function addRequests(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { ...ABOUT, inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const message = { role: 'user', content: { type: 'text', text: prompt } } as const;
      const { content } = await mcpReq.requestSampling({ messages: [message], maxTokens: 100 });
      return said(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const asked = { type: 'string' } as const;
  const properties = { username: asked, email: asked };
  const requestedSchema: Form = { type: 'object', properties, required: ['username', 'email'] };
  server.registerTool(
    'test_elicitation',
    { ...ABOUT, inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      return said(`User response: ${JSON.stringify(await mcpReq.elicitInput({ message, requestedSchema }))}`);
    },
  );
  for (const [name, form] of [
    ['test_elicitation_sep1034_defaults', DEFAULTS],
    ['test_elicitation_sep1330_enums', ENUMS],
  ] as const) {
    server.registerTool(name, ABOUT, async ({ mcpReq }) => {
      const answer = await mcpReq.elicitInput({ message: 'What?', requestedSchema: form });
      return said(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`);
    });
  }
}

type Answer = CallToolResult | InputRequiredResult;
type Round = (context: ServerContext) => Answer | Promise<Answer>;

/** Whether all of them were answered. */
function has(responses: ServerContext['mcpReq']['inputResponses'], ...names: readonly string[]): boolean {
  return names.every((name) => inputResponse(responses, name).kind !== 'missing');
}

const ROUNDS: Readonly<Record<string, Round>> = {
  test_missing_capability: () => inputRequired({ inputRequests: { sampled: sampled('Hello', 1) } }),
  test_input_required_result_elicitation: ({ mcpReq }) => {
    const answer = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name');
    if (answer !== undefined) return said(`Hello, ${answer.name}!`);
    return inputRequired({ inputRequests: { user_name: line('What is your name?', 'name') } });
  },
  test_input_required_result_sampling: ({ mcpReq }) => {
    if (has(mcpReq.inputResponses, 'capital_question')) return said('Paris');
    return inputRequired({ inputRequests: { capital_question: sampled('What is the capital of France?') } });
  },
  test_input_required_result_list_roots: ({ mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (response.kind === 'roots') return said(response.roots.map(({ uri }) => uri).join());
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: async ({ mcpReq }) => {
    if (has(mcpReq.inputResponses, 'user_name', 'greeting', 'client_roots')) return said('all of them');
    const user_name = line('What is your name?', 'name');
    const inputRequests = {
      user_name,
      greeting: sampled('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await STATES.mint('all') });
  },
  test_input_required_result_multi_round: async ({ mcpReq }) => {
    if (has(mcpReq.inputResponses, 'step2')) return said('both steps');
    const step1 = line('Step 1: What is your name?', 'name');
    const step2 = line('Step 2: What is your favorite color?', 'color');
    const isFirst = !has(mcpReq.inputResponses, 'step1');
    return inputRequired({
      inputRequests: isFirst ? { step1 } : { step2 },
      requestState: await STATES.mint(isFirst ? 'round 1' : 'round 2'),
    });
  },
  test_input_required_result_capabilities: ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
    const { sampling, elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    return inputRequired({
      inputRequests: {
        ...(sampling && { sampled: sampled('Hello') }),
        ...(elicitation && { asked: line('What is your name?', 'name') }),
      },
    });
  },
};

async function confirmed({ mcpReq }: ServerContext): Promise<Answer> {
  if (has(mcpReq.inputResponses, 'confirm') && mcpReq.requestState() === 'confirming') return said('state-ok');
  const requestedSchema: Form = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema });
  return inputRequired({ inputRequests: { confirm }, requestState: await STATES.mint('confirming') });
}

export function addRounds(server: McpServer): void {
  for (const [name, round] of Object.entries(ROUNDS)) server.registerTool(name, ABOUT, (context) => round(context));
  server.registerPrompt('test_input_required_result_prompt', ABOUT, ({ mcpReq }) => {
    const answer = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
    if (answer === undefined) {
      const user_context = line('What context should the prompt use?', 'context');
      return inputRequired({ inputRequests: { user_context } });
    }
    return { messages: [{ role: 'user', content: { type: 'text', text: answer.context } }] };
  });
}
