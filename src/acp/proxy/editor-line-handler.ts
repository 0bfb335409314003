/**
 * Processes a line on its way from the editor to the agent. Changes two kinds of requests if configured to, and passes
 * everything else on unchanged.
 */
import { Message } from './message.js';
import type { Edit, JsonPart } from './message.js';
import type { Sessions } from './sessions.js';

/** An MCP server that uses stdio, in the format of `mcpServers`. */
export interface McpServer {
  readonly name: string;
  /** An absolute path, because an agent has its own PATH and directory. */
  readonly command: string;
  readonly args: readonly string[];
}

export interface EditorLineHandlerOptions {
  /** Whether to serve terminals even if the editor has its own. */
  readonly force: boolean;
  /** An MCP server to add to the editor's servers in each session, or null. */
  readonly mcpServer: McpServer | null;
  readonly sessions: Sessions;
}

/** How an editor can show terminals that are not its own: with Zed's `_meta` convention, or as text. */
export type TerminalDialect = 'meta' | 'text';

/**
 * The first protocol version that requires servers to state their transport. Agents of version 1 would mistake an entry
 * with that field for a URL.
 */
const TYPED_SERVERS_SINCE = 2;
const TAKING_SERVERS = ['session/new', 'session/load', 'session/resume', 'session/fork'];

export class EditorLineHandler {
  readonly #options: EditorLineHandlerOptions;
  /** Whether the agent has been told that the proxy provides terminals. */
  isServing = false;
  dialect: TerminalDialect = 'text';
  #initializeKey: string | null = null;
  #hasTypedServers = false;

  constructor(options: EditorLineHandlerOptions) {
    this.#options = options;
  }

  /** Returns the line to send to the agent. */
  take(line: Buffer): Buffer {
    const message = Message.read(line);
    if (message === undefined || message.id === null || message.method === undefined) return line;
    this.#options.sessions.onRequest(message);
    if (message.method === 'initialize') return this.#initialize(message);
    const { mcpServer } = this.#options;
    if (mcpServer !== null && TAKING_SERVERS.includes(message.method)) return this.#withServer(message, mcpServer);
    return line;
  }

  /** Whether a response from the agent is still needed here. */
  get isWaiting(): boolean {
    return this.#initializeKey !== null;
  }

  /** Handles a response from the agent; the response to `initialize` contains the protocol version. */
  onAnswer(message: Message): void {
    if (message.idKey !== this.#initializeKey) return;
    this.#initializeKey = null;
    this.#hasTypedServers = Number(message.member('result')?.member('protocolVersion')?.value) >= TYPED_SERVERS_SINCE;
  }

  #initialize(message: Message): Buffer {
    const { params } = message;
    if (params?.isObject !== true || !message.isWellFormed) return message.line;
    this.#initializeKey = message.idKey;
    const capabilities = params.member('clientCapabilities');
    const isOwn = capabilities?.member('terminal')?.value === true;
    this.isServing = !isOwn || this.#options.force;
    this.dialect = capabilities?.member('_meta')?.member('terminal_output')?.value === true ? 'meta' : 'text';
    return isOwn ? message.line : message.edited([offer(params, capabilities)]);
  }

  #withServer(message: Message, server: McpServer): Buffer {
    const { params } = message;
    if (params?.isObject !== true || !message.isWellFormed) return message.line;
    const servers = params.member('mcpServers');
    // The editor already gives the agent a server with this name, which must not be replaced.
    if (servers?.elements?.some(isNamed(server.name))) return message.line;
    const json = JSON.stringify({ ...(this.#hasTypedServers ? { type: 'stdio' } : {}), ...server, env: [] });
    return message.edited([servers?.withElement(json) ?? params.withMember('mcpServers', `[${json}]`)!]);
  }
}

/** Announces the terminal capability, and leaves everything else unchanged. */
function offer(params: JsonPart, capabilities: JsonPart | undefined): Edit {
  return capabilities?.withMember('terminal', 'true') ?? params.withMember('clientCapabilities', '{"terminal":true}')!;
}

function isNamed(name: string): (server: JsonPart) => boolean {
  return (server) => server.string('name') === name;
}
