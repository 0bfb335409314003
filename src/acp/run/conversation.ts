/**
 * A session with an agent over ACP, as its client: how it is begun, what is said in it, and what the agent may ask for
 * meanwhile. It knows neither the person nor how anything is shown.
 */
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
import { VERSION } from '../../version.js';
import { serveTerminals } from '../serve-terminals.js';
import { noSuchSession } from '../session.js';
import type { AcpTerminals } from '../terminals.js';
import type { AgentProcess } from './agent-process.js';
import type { PermissionOption, RunEvent } from './events.js';
import { filtered } from './message-filter.js';
import { endedInWords, refusalInWords, signInWords } from './failures.js';
import { serveFiles } from './serve-files.js';
import { RUN_EXIT, RunFailure } from './stop.js';

export interface ConversationOptions {
  readonly agent: AgentProcess;
  readonly terminals: AcpTerminals;
  /** Absolute. */
  readonly cwd: string;
  readonly mcpServers: readonly McpServerStdio[];
  /** A session of the agent to take up again, or null for a new one. */
  readonly sessionId: string | null;
  /** A method to sign in by first, or null. */
  readonly auth: string | null;
  /** Aborted with a `RunFailure` when it is to end at once. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
  /** What the agent tells of a session, as it is. */
  readonly onUpdate: (sessionId: string, update: unknown) => void;
  /** Null: nothing is chosen. `signal` is aborted when the agent does not want to know any more. */
  readonly choose: (params: unknown, signal: AbortSignal) => Promise<PermissionOption | null>;
}

/** Agents that fetch themselves first (by npx) take their time. */
const INITIALIZE_LIMIT_MS = 60_000;
/** What has been said before the agent ended may still be on its way. */
const LAST_OUTPUT_MS = 500;

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #connection: ClientConnection;
  #initialized: InitializeResponse | null = null;
  #sessionId = '';

  /** @throws {RunFailure} if the agent ends, does not speak the protocol, wants to be signed in to, or refuses. */
  static async open(options: ConversationOptions): Promise<Conversation> {
    const conversation = new Conversation(options);
    await conversation.#initialize();
    await conversation.#openSession();
    return conversation;
  }

  private constructor(options: ConversationOptions) {
    this.#options = options;
    this.#connection = this.#app().connect(filtered(options.agent.stream, (params) => this.#onUpdate(params)));
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /**
   * One turn; answers with the reason why it ended.
   *
   * @throws {RunFailure} if the agent has ended, or answers with an error.
   */
  async prompt(text: string): Promise<string> {
    const request: PromptRequest = { sessionId: this.#sessionId, prompt: [{ type: 'text', text }] };
    const answer = this.#connection.agent.request(methods.agent.session.prompt, request);
    const { stopReason } = await this.#asked('session/prompt', answer);
    return String(stopReason);
  }

  /** Tells the agent to stop the turn. */
  async cancel(): Promise<void> {
    const { signal, agent } = this.#connection;
    if (!signal.aborted) await agent.notify(methods.agent.session.cancel, { sessionId: this.#sessionId });
  }

  /** Rejects when the agent is gone. @throws {RunFailure} */
  lost(): Promise<never> {
    const closed = this.#connection.closed.then((): never => {
      throw new Error('closed');
    });
    return this.#asked('session/prompt', closed);
  }

  close(): void {
    this.#connection.close();
  }

  #app(): ClientApp {
    const { terminals, cwd, onEvent } = this.#options;
    const app = serveTerminals(client({ name: 'tenacitty' }), terminals);
    const checkSession = (sessionId: string) => this.#checkSession(sessionId);
    return serveFiles(app, { cwd, checkSession, onEvent }).onRequest(
      methods.client.session.requestPermission,
      ({ params, signal }) => this.#permission(params, signal),
    );
  }

  /** As with terminals: until the agent has told of its session, it may go by any name. */
  #checkSession(sessionId: string): void {
    if (!['', sessionId].includes(this.#sessionId)) throw noSuchSession(sessionId);
  }

  async #initialize(): Promise<void> {
    const clientCapabilities = {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      _meta: { terminal_output: true, terminal_output_delta: true },
    };
    const clientInfo = { name: 'tenacitty', title: 'tenacitty', version: VERSION };
    const params: InitializeRequest = { protocolVersion: PROTOCOL_VERSION, clientCapabilities, clientInfo };
    const answer = this.#connection.agent.request(methods.agent.initialize, params);
    const initialized = await this.#asked('initialize', answer, INITIALIZE_LIMIT_MS);
    this.#initialized = initialized;
    const { protocolVersion, agentInfo } = initialized;
    if (protocolVersion !== PROTOCOL_VERSION) throw otherVersion(protocolVersion);
    this.#options.onEvent({ type: 'agent', name: agentInfo?.name ?? null, version: agentInfo?.version ?? null });
  }

  async #openSession(): Promise<void> {
    const { auth, sessionId, cwd, onEvent } = this.#options;
    if (auth !== null) await this.#signIn(auth);
    this.#sessionId = sessionId === null ? await this.#newSession() : await this.#loadSession(sessionId);
    this.#options.terminals.openSession(this.#sessionId, { cwd });
    onEvent({ type: 'session', sessionId: this.#sessionId, cwd, isLoaded: sessionId !== null });
  }

  async #signIn(methodId: string): Promise<void> {
    await this.#asked('authenticate', this.#connection.agent.request(methods.agent.authenticate, { methodId }));
  }

  async #newSession(): Promise<string> {
    const params: NewSessionRequest = { cwd: this.#options.cwd, mcpServers: [...this.#options.mcpServers] };
    const answer = this.#connection.agent.request(methods.agent.session.new, params);
    const { sessionId } = await this.#asked('session/new', answer);
    return sessionId;
  }

  async #loadSession(sessionId: string): Promise<string> {
    if (this.#initialized?.agentCapabilities?.loadSession !== true) {
      throw new RunFailure(RUN_EXIT.failed, 'The agent cannot take up a session again.');
    }
    const { cwd, mcpServers, terminals } = this.#options;
    this.#sessionId = sessionId;
    terminals.openSession(sessionId, { cwd });
    const params: LoadSessionRequest = { sessionId, cwd, mcpServers: [...mcpServers] };
    await this.#asked('session/load', this.#connection.agent.request(methods.agent.session.load, params));
    return sessionId;
  }

  #onUpdate(params: unknown): void {
    const { sessionId, update } = (params ?? {}) as { readonly sessionId?: unknown; readonly update?: unknown };
    this.#options.onUpdate(typeof sessionId === 'string' ? sessionId : '', update);
  }

  async #permission(params: unknown, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const option = await this.#options.choose(params, signal);
    return { outcome: option === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId } };
  }

  /** Answers as the agent does; else says what is wrong with it. */
  async #asked<Answer>(method: string, answer: Promise<Answer>, limitMs?: number): Promise<Answer> {
    const { signal } = this.#options;
    const over = new AbortController();
    const late = limitMs === undefined ? over.signal : AbortSignal.timeout(limitMs);
    try {
      return await Promise.race([
        answer,
        this.#gone(over.signal),
        aborted(signal, over.signal),
        aborted(late, over.signal),
      ]);
    } catch (error) {
      throw await this.#failure(method, error, late.aborted && limitMs !== undefined);
    } finally {
      over.abort();
    }
  }

  /** Rejects when the program has ended, even where something that it left behind holds its stdout. */
  async #gone(over: AbortSignal): Promise<never> {
    await this.#options.agent.ended;
    await new Promise((resolve) => setTimeout(resolve, LAST_OUTPUT_MS));
    if (over.aborted) return new Promise(() => {});
    throw new Error('ended');
  }

  async #failure(method: string, error: unknown, isLate: boolean): Promise<RunFailure> {
    if (error instanceof RunFailure) return error;
    const { agent, signal } = this.#options;
    if (signal.reason instanceof RunFailure) return signal.reason;
    if (isLate) return new RunFailure(RUN_EXIT.noAgent, `The agent has not answered ${method}. Does it speak ACP?`);
    if (error instanceof RequestError && !this.#connection.signal.aborted) {
      const { code, message, data = null } = error;
      const answer = { code, message, data };
      return code === AUTH_REQUIRED
        ? new RunFailure(RUN_EXIT.signIn, signInWords(this.#initialized?.authMethods ?? []), answer)
        : new RunFailure(RUN_EXIT.failed, refusalInWords(method, error), answer);
    }
    return new RunFailure(RUN_EXIT.noAgent, await endedInWords(agent, error));
  }
}

const AUTH_REQUIRED = -32000;

/** Rejects when `signal` is aborted; never, if `over` is first. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted && !over.aborted) fail();
    signal.addEventListener('abort', fail, { signal: over });
  });
}

function otherVersion(version: unknown): RunFailure {
  const words = `The agent speaks version ${String(version)} of ACP; this client speaks ${PROTOCOL_VERSION}.`;
  return new RunFailure(RUN_EXIT.noAgent, words);
}
