/**
 * A minimal editor for tests: it starts an agent, sends a prompt, permits everything, and records requests. It serves
 * terminals only if it is given some.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type {
  ClientApp,
  ClientConnection,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  Stream,
} from '@agentclientprotocol/sdk';
import { serveTerminals } from '../../src/acp.js';
import type { AcpTerminals } from '../../src/acp.js';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export class AgentClient {
  /** The methods requested from it, in order. */
  readonly asked: string[] = [];
  /** The `session/update` messages received, in order. */
  readonly updates: SessionNotification['update'][] = [];
  stderr = '';
  #sessionId: string | undefined;
  readonly #child: Child;
  readonly #connection: ClientConnection;
  readonly #terminals: AcpTerminals | undefined;

  private constructor(child: Child, terminals: AcpTerminals | undefined) {
    this.#child = child;
    this.#terminals = terminals;
    child.stderr.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()));
    // It may have ended by itself.
    child.stdin.on('error', () => {});
    const app = this.#app();
    const served = terminals === undefined ? app : serveTerminals(app, terminals);
    const stream = ndJsonStream(
      Writable.toWeb(child.stdin),
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    );
    this.#connection = served.connect(this.#observed(stream));
  }

  /** Starts `command`, the full command line of the agent or the proxy, and initializes the connection. */
  static async start(
    [file, ...args]: readonly string[],
    { env = process.env, terminals }: { env?: NodeJS.ProcessEnv; terminals?: AcpTerminals } = {},
  ): Promise<AgentClient> {
    const child = spawn(file!, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const editor = new AgentClient(child, terminals);
    try {
      await editor.#connection.agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { terminal: terminals !== undefined },
        clientInfo: { name: 'editor', version: '1' },
      });
    } catch (cause) {
      await editor.close();
      throw new Error(`The agent did not start: ${editor.stderr}`, { cause });
    }
    return editor;
  }

  /** Runs one turn, always in the same session; returns its stop reason. */
  async turn(cwd: string): Promise<string> {
    const { agent } = this.#connection;
    const sessionId = (this.#sessionId ??= await this.#begin(cwd));
    const prompt = [{ type: 'text' as const, text: 'Go on.' }];
    const { stopReason } = await agent.request<PromptResponse, PromptRequest>(methods.agent.session.prompt, {
      sessionId,
      prompt,
    });
    return stopReason;
  }

  /** Ends it as editors do: closes its stdin and sends a signal. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.stdin.end();
    this.#child.kill('SIGTERM');
    await closed;
  }

  async #begin(cwd: string): Promise<string> {
    const { agent } = this.#connection;
    const { sessionId } = await agent.request<NewSessionResponse, NewSessionRequest>(methods.agent.session.new, {
      cwd,
      mcpServers: [],
    });
    this.#terminals?.openSession(sessionId, { cwd });
    return sessionId;
  }

  #app(): ClientApp {
    return client({ name: 'editor' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => permitted(params))
      .onNotification(methods.client.session.update, ({ params }) => void this.updates.push(params.update));
  }

  #observed({ readable, writable }: Stream): Stream {
    const observe = new TransformStream<unknown, never>({
      transform: (message, out) => {
        const { method, id } = message as { method?: string; id?: unknown };
        if (method !== undefined && id !== undefined) this.asked.push(method);
        out.enqueue(message as never);
      },
    });
    return { writable, readable: readable.pipeThrough(observe) };
  }
}

function permitted({ options }: RequestPermissionRequest): RequestPermissionResponse {
  const { optionId } = options.find(({ kind }) => kind === 'allow_once') ?? options[0]!;
  return { outcome: { outcome: 'selected', optionId } };
}
