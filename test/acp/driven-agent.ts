/**
 * An agent that does what its client tells it: it calls methods of the client and gives each answer back, as `{result}`
 * or `{error}`, can cancel a call, and tells the client what it is given to tell. A prompt it takes for a command, which it
 * shows as a tool call, and says what that printed.
 */
import { agent, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { AgentApp } from '@agentclientprotocol/sdk';

/** What the agent is to call. By its name the call can be cancelled. */
export interface Call {
  readonly name?: string;
  readonly method: string;
  readonly params: unknown;
}

/** What came of it. */
export interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

export function drivenAgent(): AgentApp {
  const named = new Map<string, AbortController>();
  return agent({ name: 'driven' })
    .onRequest('initialize', () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
    .onRequest('session/new', () => ({ sessionId: 'sess_1' }))
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      const [{ text: command }] = prompt as unknown as [{ text: string }];
      const terminal = await client.createTerminal({ sessionId, command });
      const call = { sessionUpdate: 'tool_call', toolCallId: 'call_1', title: command } as const;
      const shown = [{ type: 'terminal', terminalId: terminal.id } as const];
      await client.notify('session/update', { sessionId, update: { ...call, content: shown } });
      await terminal.waitForExit();
      const { output: text } = await terminal.currentOutput();
      await terminal.release();
      const content = { type: 'text', text } as const;
      await client.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
      return { stopReason: 'end_turn' };
    })
    .onRequest(
      '_call',
      (params) => params as Call,
      async ({ params: { name = '', method, params }, client }) => {
        const cancelled = new AbortController();
        named.set(name, cancelled);
        const asked = client.request<Answer['result']>(method, params, { cancellationSignal: cancelled.signal });
        return asked.then(
          (result) => ({ result }),
          ({ code, message, data }: NonNullable<Answer['error']>) => ({ error: { code, message, data } }),
        );
      },
    )
    .onRequest(
      '_tell',
      (params) => params as Call,
      async ({ params: { method, params }, client }) => {
        await client.notify(method, params);
        return {};
      },
    )
    .onRequest(
      '_cancel',
      (params) => params as { name: string },
      ({ params: { name } }) => {
        named.get(name)!.abort();
        return {};
      },
    );
}
