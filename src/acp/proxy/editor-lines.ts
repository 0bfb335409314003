/**
 * What becomes of a line on its way from the editor to the agent: two requests are changed where that was asked for, all
 * else goes as it is. It knows neither streams nor how terminals are held.
 */
import { Message } from './message.js';
import type { Edit, Part } from './message.js';
import type { Sessions } from './sessions.js';

/** An MCP server on stdio, as `mcpServers` has it. */
export interface McpServer {
  readonly name: string;
  /** Absolute: an agent has a PATH and a directory of its own. */
  readonly command: string;
  readonly args: readonly string[];
}

export interface EditorLinesOptions {
  /** Takes the terminals on even where the editor has its own. */
  readonly force: boolean;
  /** Given to each session besides the editor's; null for none. */
  readonly mcpServer: McpServer | null;
  readonly sessions: Sessions;
}

/** What the editor can show of terminals that are not its own: the `_meta` of Zed's making, or text. */
export type Dialect = 'meta' | 'text';

/** From this version of the protocol on a server says by which way it is reached; agents of the first take that for a URL. */
const TYPED_SERVERS_SINCE = 2;
const TAKING_SERVERS = ['session/new', 'session/load', 'session/resume', 'session/fork'];

export class EditorLines {
  readonly #options: EditorLinesOptions;
  /** Whether the agent was told of terminals that are ours to serve. */
  isServing = false;
  dialect: Dialect = 'text';
  #initializeKey: string | null = null;
  #hasTypedServers = false;

  constructor(options: EditorLinesOptions) {
    this.#options = options;
  }

  /** The line as the agent is to have it. */
  take(line: Buffer): Buffer {
    const message = Message.read(line);
    if (message === undefined || message.id === null || message.method === undefined) return line;
    this.#options.sessions.see(message);
    if (message.method === 'initialize') return this.#initialize(message);
    const { mcpServer } = this.#options;
    if (mcpServer !== null && TAKING_SERVERS.includes(message.method)) return this.#withServer(message, mcpServer);
    return line;
  }

  /** Whether an answer of the agent is still to be seen here. */
  get isWaiting(): boolean {
    return this.#initializeKey !== null;
  }

  /** An answer of the agent: the one to `initialize` tells the version. */
  seeAnswer(message: Message): void {
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
    // An editor that gives the agent a server of this name already has its reasons.
    if (servers?.elements?.some(isNamed(server.name))) return message.line;
    const json = JSON.stringify({ ...(this.#hasTypedServers ? { type: 'stdio' } : {}), ...server, env: [] });
    return message.edited([servers?.withElement(json) ?? params.withMember('mcpServers', `[${json}]`)!]);
  }
}

/** Says that there are terminals, and leaves all else as it stands. */
function offer(params: Part, capabilities: Part | undefined): Edit {
  return capabilities?.withMember('terminal', 'true') ?? params.withMember('clientCapabilities', '{"terminal":true}')!;
}

function isNamed(name: string): (server: Part) => boolean {
  return (server) => server.string('name') === name;
}
