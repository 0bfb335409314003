/**
 * An agent controlled by its client: it calls methods of the client and returns each answer, as `{result}` or
 * `{error}`; it can cancel a call, and sends given updates. It runs a prompt as a command, shows it as a tool call, and
 * replies with its output.
 */
import { agent, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { AgentApp } from '@agentclientprotocol/sdk';

/** A call for the agent to make. The name is used to cancel it. */
export interface AgentCall {
  readonly name?: string;
  readonly method: string;
  readonly params: unknown;
}

/** The outcome of a call. */
export interface CallOutcome {
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
      (params) => params as AgentCall,
      async ({ params: { name = '', method, params }, client }) => {
        const cancelled = new AbortController();
        named.set(name, cancelled);
        const asked = client.request<CallOutcome['result']>(method, params, { cancellationSignal: cancelled.signal });
        return asked.then(
          (result) => ({ result }),
          ({ code, message, data }: NonNullable<CallOutcome['error']>) => ({ error: { code, message, data } }),
        );
      },
    )
    .onRequest(
      '_tell',
      (params) => params as AgentCall,
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
