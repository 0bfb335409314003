/**
 * Keeps sessions over HTTP, for protocol revisions with a handshake. A session delivers notifications about watched
 * resources, and questions during a call. Everything else works without a session, so calls do not fail if their
 * session is unknown, for example after a server restart.
 */
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { AuthInfo, McpServer } from '@modelcontextprotocol/server';
import { LruMap } from '../lru-map.js';

const SESSION_HEADER = 'Mcp-Session-Id';
/** Maximum number of sessions per account, because each may keep a connection open. */
const MAX_SESSIONS = 100;
/** Time that a session is kept without a request in progress or a notification stream. */
const IDLE_MS = 5 * 60_000;
/** Maximum number of remembered sessions that their clients have ended. Requests for these sessions are refused. */
const MAX_ENDED = 1000;

export interface SessionsOptions {
  /** Called with the reason for each request that is refused. */
  readonly onRefusal: (error: Error) => void;
  /** Time that an unused session is kept, in milliseconds. Default: five minutes. */
  readonly idleMs?: number;
}

/** The caller. */
export interface SessionCaller {
  /** Identifies the caller. No other caller can use its sessions. */
  readonly owner: string;
  /** The account that the session limit applies to. */
  readonly account: string;
  /** Called when the client is known to be connected. The returned function is called when it has disconnected. */
  readonly hold: () => () => void;
  /** Aborts when the caller has left or the response is complete. */
  readonly over: AbortSignal;
  readonly authInfo: AuthInfo;
}

interface Session {
  readonly owner: string;
  readonly account: string;
  /** Identifies the key, whatever the workspace (from `AuthInfo`). */
  readonly clientId: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /**
   * Set when the session's first stream is opened. Without a stream, it cannot be detected that the client disconnects.
   */
  leave?: () => void;
  /** Number of requests in progress, including streams. */
  open: number;
  /** Timer that ends the session after the idle time. */
  rest?: NodeJS.Timeout;
}

export class HttpSessions {
  readonly #build: (caller: SessionCaller) => McpServer;
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #ended = new LruMap<true>(MAX_ENDED);

  constructor(build: (caller: SessionCaller) => McpServer, options: SessionsOptions) {
    this.#build = build;
    this.#options = options;
  }

  /**
   * Handles a request that belongs to a session or starts one. Returns undefined for a request that needs no session.
   */
  async serve(request: Request, caller: SessionCaller): Promise<Response | undefined> {
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) return (await mayBegin(request)) ? this.#begin(request, caller) : undefined;
    const session = this.#sessions.get(id);
    if (session?.owner === caller.owner) {
      if (request.method === 'GET') session.leave ??= caller.hold();
      return this.#handle(id, session, request, caller);
    }
    // A call needs no session. A client that wants notifications has to start a new one.
    return request.method === 'POST' && this.#ended.peek(id) === undefined ? undefined : notFound();
  }

  async endThoseOf(clientId: string): Promise<void> {
    const ids = [...this.#sessions].filter(([, session]) => session.clientId === clientId).map(([id]) => id);
    await Promise.all(ids.map((id) => this.#end(id)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #begin(request: Request, caller: SessionCaller): Promise<Response | undefined> {
    const { owner, account, authInfo } = caller;
    if (!(await this.#makeRoom(account))) return undefined;
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => {
        this.#ended.set(id, true);
        this.#forget(id);
      },
      // The size has already been checked.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
    const server = this.#build(caller);
    await server.connect(transport);
    server.server.onerror = this.#options.onRefusal;
    const session = { owner, account, clientId: authInfo.clientId, server, transport, open: 0 };
    const response = await this.#handle(id, session, request, caller);
    if (!response.ok) await this.#end(id);
    return response;
  }

  #handle(id: string, session: Session, request: Request, { over, authInfo }: SessionCaller): Promise<Response> {
    // Reinserted at the end, so that the sessions that have been idle longest come first.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.open++;
    clearTimeout(session.rest);
    const done = () => {
      session.open--;
      if (session.open === 0 && this.#sessions.get(id) === session) this.#endWhenIdle(id, session);
    };
    if (over.aborted) done();
    else over.addEventListener('abort', done, { once: true });
    return session.transport.handleRequest(request, { authInfo });
  }

  #endWhenIdle(id: string, session: Session): void {
    session.rest = setTimeout(() => void this.#end(id), this.#options.idleMs ?? IDLE_MS).unref();
  }

  /** If an account has too many sessions, ends the one that has been idle longest. Returns false if none is idle. */
  async #makeRoom(account: string): Promise<boolean> {
    const own = [...this.#sessions].filter(([, session]) => session.account === account);
    if (own.length < MAX_SESSIONS) return true;
    const [resting] = own.find(([, { open }]) => open === 0) ?? [];
    if (resting !== undefined) await this.#end(resting);
    return resting !== undefined;
  }

  async #end(id: string): Promise<void> {
    await this.#forget(id)?.server.close();
  }

  #forget(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    clearTimeout(session?.rest);
    session?.leave?.();
    return session;
  }
}

async function mayBegin(request: Request): Promise<boolean> {
  if (request.method !== 'POST' || request.headers.has('Mcp-Method')) return false;
  const message: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return isInitializeRequest(message) && (await isLegacyRequest(request, message));
}

function notFound(): Response {
  const error = { code: -32_001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
