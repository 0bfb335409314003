/** What a person is told when an agent cannot be worked with: why, and what to do. It knows no conversation. */
import type { AuthMethod, RequestError } from '@agentclientprotocol/sdk';
import type { AgentProcess } from './agent-process.js';
import { harmlessLine } from '../harmless.js';

/** After its last output it may take so long until the end of the program is known. */
const END_KNOWN_MS = 1000;
const MAX_WORDS = 500;

/** An agent is gone, or its stdout is; with what it last said on stderr. */
export async function endedInWords(agent: AgentProcess, error: unknown): Promise<string> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, END_KNOWN_MS, null).unref());
  const exit = await Promise.race([agent.ended, late]);
  const why = error instanceof Error && error.name !== 'Error' ? ` (${harmlessLine(error.message, MAX_WORDS)})` : '';
  const how = exit?.signal ?? `exit code ${exit?.exitCode ?? 'unknown'}`;
  const ended = exit === null ? `The agent has closed the connection${why}.` : `The agent has ended: ${how}.`;
  return [ended, ...agent.lastWords.map((line) => `  ${line}`)].join('\n');
}

export function refusalInWords(method: string, { code, message, data }: RequestError): string {
  const more = detailsOf(data);
  const words = `The agent answers ${method} with an error: ${harmlessLine(message, MAX_WORDS)} (${code})`;
  return more === null ? `${words}.` : `${words}: ${harmlessLine(more, MAX_WORDS)}`;
}

export function signInWords(authMethods: readonly AuthMethod[]): string {
  if (authMethods.length === 0) return 'The agent wants you to sign in, and does not say how. See its documentation.';
  const lines = authMethods.map((method) => `  --auth ${harmlessLine(method.id, 80)}: ${described(method)}`);
  return ['The agent wants you to sign in. Do so with the agent itself, or say how:', ...lines].join('\n');
}

function described({ name, description }: AuthMethod): string {
  return harmlessLine([name, description].filter(Boolean).join('. '), MAX_WORDS);
}

/** What there is beside the message. */
function detailsOf(data: unknown): string | null {
  if (data === undefined || data === null) return null;
  if (typeof data === 'string') return data;
  const { details, ...more } = data as { readonly details?: unknown };
  return typeof details === 'string' && Object.keys(more).length === 0 ? details : JSON.stringify(data);
}
