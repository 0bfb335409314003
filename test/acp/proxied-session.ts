/**
 * A session between an editor without terminals and an agent, both played by the test, through the proxy, and requests
 * that such an agent makes.
 */
import type { Place } from '../cli/place.js';
import { ProxyWithFakeAgent } from './proxied.js';

/** Answers a request with a result or an error. */
export interface Responder {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly data?: Record<string, unknown> };
}

export const SESSION = 's';

export const rpc = (value: object) => ({ jsonrpc: '2.0', ...value });

/** After `initialize`. */
export async function initialized(
  place: Place,
  flags: readonly string[] = [],
  clientCapabilities: object = {},
): Promise<ProxyWithFakeAgent> {
  const between = await ProxyWithFakeAgent.start(place, flags);
  const { editor, agent } = between;
  editor.say(rpc({ id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities } }));
  expect(await agent.hears()).toMatchObject({ params: { clientCapabilities: { terminal: true } } });
  agent.say(rpc({ id: 0, result: { protocolVersion: 1 } }));
  await editor.hears();
  return between;
}

/** After `session/new` too, in the place's directory. */
export async function begun(
  place: Place,
  flags: readonly string[] = [],
  clientCapabilities: object = {},
): Promise<ProxyWithFakeAgent> {
  const between = await initialized(place, flags, clientCapabilities);
  await editorAsks(
    between,
    'session/new',
    { cwd: place.directory, mcpServers: [] },
    { result: { sessionId: SESSION } },
  );
  return between;
}

let lastId = 0;

/** Sends a request from the editor, and the agent's answer to it. */
export async function editorAsks(
  between: ProxyWithFakeAgent,
  method: string,
  params: object,
  answer: object,
): Promise<void> {
  const id = `editor ${++lastId}`;
  between.editor.say(rpc({ id, method, params }));
  expect(await between.agent.hears()).toMatchObject({ id, method });
  between.agent.say(rpc({ id, ...answer }));
  expect(await between.editor.hears()).toEqual(rpc({ id, ...answer }));
}

/** Sends a terminal request from the agent, for its session unless `params` names another. */
export async function ask({ agent }: ProxyWithFakeAgent, method: string, params: object): Promise<Responder> {
  const id = ++lastId;
  agent.say(rpc({ id, method: `terminal/${method}`, params: { sessionId: SESSION, ...params } }));
  const answer = await agent.hears<Responder>();
  expect(answer.id).toBe(id);
  return answer;
}

/** Runs a command in a terminal and returns its id. */
export async function create(between: ProxyWithFakeAgent, command: string, sessionId = SESSION): Promise<string> {
  const { result } = await ask(between, 'create', { command, sessionId });
  return result!['terminalId'] as string;
}
