/**
 * Represents the client's side of an ACP session with an agent: opens the session, sends prompts, and serves the
 * agent's requests.
 */
import { setTimeout as after } from 'node:timers/promises';
import { client, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type {
  ClientApp,
  ClientConnection,
  InitializeRequest,
  InitializeResponse,
  LoadSessionRequest,
  McpServerStdio,
  NewSessionRequest,
  PromptRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { abortable } from '../../abortable.js';
import { VERSION } from '../../version.js';
import { serveTerminals } from '../serve-terminals.js';
import type { AcpTerminals } from '../terminals.js';
import type { AgentProcess } from './agent-process.js';
import type { PermissionOption, RunEvent } from './events.js';
import { describeAgentEnd, describeRefusal, describeSignIn } from './failures.js';
import { RUN_EXIT, RunFailure } from './stop.js';

/** Describes the session to open. */
export interface SessionRequest {
  /** An absolute path. */
  readonly cwd: string;
  readonly mcpServers: readonly McpServerStdio[];
  /** Id of the agent's session to resume, or null for a new session. */
  readonly sessionId: string | null;
  /** The authentication method to use first, or null. */
  readonly auth: string | null;
}

export interface ConversationOptions extends SessionRequest {
  readonly agent: AgentProcess;
  readonly terminals: AcpTerminals;
  /** Aborts with a `RunFailure` if the conversation must end immediately. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
  /**
   * Resolves to the chosen option, or to null if none is chosen. `signal` aborts when the agent withdraws the question.
   */
  readonly choose: (params: unknown, signal: AbortSignal) => Promise<PermissionOption | null>;
}

/** Long, because npx may first have to download the agent. */
const INITIALIZE_LIMIT_MS = 60_000;
/** Time for output that was written before the agent ended and is still in transit. */
const LAST_OUTPUT_MS = 500;

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #connection: ClientConnection;
  /** Rejects when the program has ended or the conversation is aborted. */
  readonly #over: Promise<never>;
  #initialized: InitializeResponse | null = null;
  #sessionId = '';

  /**
   * Opens the session.
   *
   * @throws {RunFailure} If the agent ends, does not speak the protocol, requires authentication, or refuses.
   */
  static async open(options: ConversationOptions): Promise<Conversation> {
    const conversation = new Conversation(options);
    await conversation.#initialize();
    await conversation.#openSession();
    return conversation;
  }

  private constructor(options: ConversationOptions) {
    this.#options = options;
    this.#connection = this.#app().connect(options.agent.stream);
    this.#over = abortable(gone(options.agent), options.signal);
    this.#over.catch(() => {});
  }

  /**
   * Runs one turn. Resolves to the agent's stop reason.
   *
   * @throws {RunFailure} If the agent has ended or responds with an error.
   */
  async prompt(text: string): Promise<string> {
    const request: PromptRequest = { sessionId: this.#sessionId, prompt: [{ type: 'text', text }] };
    const answer = this.#connection.agent.request(methods.agent.session.prompt, request);
    const { stopReason } = await this.#request('session/prompt', answer);
    return String(stopReason);
  }

  /** Tells the agent to stop the turn. */
  async cancel(): Promise<void> {
    const { signal, agent } = this.#connection;
    if (!signal.aborted) await agent.notify(methods.agent.session.cancel, { sessionId: this.#sessionId });
  }

  /**
   * Waits until the agent has ended, then rejects.
   *
   * @throws {RunFailure} When the agent has ended.
   */
  lost(): Promise<never> {
    const closed = this.#connection.closed.then((): never => {
      throw new Error('closed');
    });
    return this.#request('session/prompt', closed);
  }

  close(): void {
    this.#connection.close();
  }

  /** Handles the agent's requests. */
  #app(): ClientApp {
    return serveTerminals(client({ name: 'tenacitty' }), this.#options.terminals).onRequest(
      methods.client.session.requestPermission,
      ({ params, signal }) => this.#permission(params, signal),
    );
  }

  async #initialize(): Promise<void> {
    const clientCapabilities = { terminal: true, _meta: { terminal_output: true, terminal_output_delta: true } };
    const clientInfo = { name: 'tenacitty', title: 'tenacitty', version: VERSION };
    const params: InitializeRequest = { protocolVersion: PROTOCOL_VERSION, clientCapabilities, clientInfo };
    const answer = this.#connection.agent.request(methods.agent.initialize, params);
    this.#initialized = await this.#request('initialize', Promise.race([answer, late()]));
    const { protocolVersion, agentInfo } = this.#initialized;
    if (protocolVersion !== PROTOCOL_VERSION) throw otherVersion(protocolVersion);
    this.#options.onEvent({ type: 'agent', name: agentInfo?.name ?? null, version: agentInfo?.version ?? null });
  }

  async #openSession(): Promise<void> {
    const { auth: methodId, sessionId, cwd, onEvent } = this.#options;
    const { agent } = this.#connection;
    if (methodId !== null) await this.#request('authenticate', agent.request(methods.agent.authenticate, { methodId }));
    this.#sessionId = sessionId === null ? await this.#newSession() : await this.#loadSession(sessionId);
    this.#options.terminals.openSession(this.#sessionId, { cwd });
    onEvent({ type: 'session', sessionId: this.#sessionId, cwd, isLoaded: sessionId !== null });
  }

  async #newSession(): Promise<string> {
    const params: NewSessionRequest = { cwd: this.#options.cwd, mcpServers: [...this.#options.mcpServers] };
    const answer = this.#connection.agent.request(methods.agent.session.new, params);
    return (await this.#request('session/new', answer)).sessionId;
  }

  async #loadSession(sessionId: string): Promise<string> {
    if (this.#initialized?.agentCapabilities?.loadSession !== true) {
      throw new RunFailure(RUN_EXIT.failed, 'The agent cannot resume a session.');
    }
    const { cwd, mcpServers, terminals } = this.#options;
    this.#sessionId = sessionId;
    terminals.openSession(sessionId, { cwd });
    const params: LoadSessionRequest = { sessionId, cwd, mcpServers: [...mcpServers] };
    await this.#request('session/load', this.#connection.agent.request(methods.agent.session.load, params));
    return sessionId;
  }

  async #permission(params: unknown, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const option = await this.#options.choose(params, signal);
    return { outcome: option === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId } };
  }

  /** Returns the agent's response, or throws an error that explains the failure. */
  #request<Answer>(method: string, answer: Promise<Answer>): Promise<Answer> {
    return Promise.race([answer, this.#over]).catch(async (error: unknown) => {
      throw await this.#failure(method, error);
    });
  }

  async #failure(method: string, error: unknown): Promise<RunFailure> {
    if (error instanceof RunFailure) return error;
    const { agent, signal } = this.#options;
    if (signal.reason instanceof RunFailure) return signal.reason;
    if (error instanceof RequestError && !this.#connection.signal.aborted) {
      const { code, message, data = null } = error;
      const answer = { code, message, data };
      return code === AUTH_REQUIRED
        ? new RunFailure(RUN_EXIT.signIn, describeSignIn(this.#initialized?.authMethods ?? []), answer)
        : new RunFailure(RUN_EXIT.failed, describeRefusal(method, error), answer);
    }
    return new RunFailure(RUN_EXIT.noAgent, await describeAgentEnd(agent, error));
  }
}

const AUTH_REQUIRED = -32000;

/** Rejects when the agent has ended, even if a process that it left behind holds its stdout open. */
async function gone(agent: AgentProcess): Promise<never> {
  await agent.ended;
  await after(LAST_OUTPUT_MS);
  throw new Error('ended');
}

async function late(): Promise<never> {
  await after(INITIALIZE_LIMIT_MS, null, { ref: false });
  throw new RunFailure(RUN_EXIT.noAgent, 'The agent did not respond to initialize. Does it speak ACP?');
}

function otherVersion(version: unknown): RunFailure {
  const words = `The agent speaks version ${String(version)} of ACP; this client speaks ${PROTOCOL_VERSION}.`;
  return new RunFailure(RUN_EXIT.noAgent, words);
}
