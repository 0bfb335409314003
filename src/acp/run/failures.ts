/** Builds the messages for failures of an agent, which state the reason and what to do. */
import type { AuthMethod, RequestError } from '@agentclientprotocol/sdk';
import type { AgentProcess } from './agent-process.js';
import { sanitizeLine } from '../sanitize.js';

/** Maximum time between an agent's last output and the report of its exit. */
const END_KNOWN_MS = 1000;
const MAX_WORDS = 500;

/** Describes an agent that has ended or closed its stdout, and quotes its last stderr lines. */
export async function describeAgentEnd(agent: AgentProcess, error: unknown): Promise<string> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, END_KNOWN_MS, null).unref());
  const exit = await Promise.race([agent.ended, late]);
  const why = error instanceof Error && error.name !== 'Error' ? ` (${sanitizeLine(error.message, MAX_WORDS)})` : '';
  const how = exit?.signal ?? `exit code ${exit?.exitCode ?? 'unknown'}`;
  const ended = exit === null ? `The agent closed the connection${why}.` : `The agent ended: ${how}.`;
  return [ended, ...agent.lastWords.map((line) => `  ${line}`)].join('\n');
}

export function describeRefusal(method: string, { code, message, data }: RequestError): string {
  const more = detailsOf(data);
  const words = `The agent responded to ${method} with an error: ${sanitizeLine(message, MAX_WORDS)} (${code})`;
  return more === null ? `${words}.` : `${words}: ${sanitizeLine(more, MAX_WORDS)}`;
}

export function describeSignIn(authMethods: readonly AuthMethod[]): string {
  if (authMethods.length === 0)
    return 'The agent requires you to sign in, but does not specify how. See its documentation.';
  const lines = authMethods.map((method) => `  --auth ${sanitizeLine(method.id, 80)}: ${described(method)}`);
  return ['The agent requires you to sign in. Sign in with the agent itself, or choose a method:', ...lines].join('\n');
}

function described({ name, description }: AuthMethod): string {
  return sanitizeLine([name, description].filter(Boolean).join('. '), MAX_WORDS);
}

/** Returns what the error contains in addition to its message, or null if there is nothing. */
function detailsOf(data: unknown): string | null {
  if (data === undefined || data === null) return null;
  if (typeof data === 'string') return data;
  const { details, ...more } = data as { readonly details?: unknown };
  return typeof details === 'string' && Object.keys(more).length === 0 ? details : JSON.stringify(data);
}
