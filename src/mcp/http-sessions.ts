/**
 * Sessions over HTTP, for protocol revisions with a handshake: they deliver notifications about watched resources, and
 * questions during a call. Everything else works without a session, so that an unknown session, for example after a
 * server restart, does not make calls fail.
 */
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { AuthInfo, McpServer } from '@modelcontextprotocol/server';
import { LruMap } from './lru-map.js';

const SESSION_HEADER = 'Mcp-Session-Id';
/** Maximum number of sessions per account, because each may hold a connection. */
const MAX_SESSIONS = 100;
/** How long a session is kept without a request in progress and without a notification stream. */
const IDLE_MS = 5 * 60_000;
/** Maximum number of remembered sessions that their clients have ended; requests for them are refused from then on. */
const MAX_ENDED = 1000;

export interface SessionsOptions {
  /** Called for requests that are refused, with the reason. */
  readonly onRefusal: (error: Error) => void;
  /** How long an unused session is kept, in milliseconds. Default: five minutes. */
  readonly idleMs?: number;
}

/** The caller. */
export interface SessionCaller {
  /** No other caller can use the same session. */
  readonly owner: string;
  /** The account whose session limit applies. */
  readonly account: string;
  /**
   * Called when its client is known to be connected. The returned function is called when the client has disconnected.
   */
  readonly hold: () => () => void;
  /** Aborts when the caller has left or the response is complete. */
  readonly over: AbortSignal;
  readonly authInfo: AuthInfo;
}

interface Session {
  readonly owner: string;
  readonly account: string;
  /** From `AuthInfo`: identifies the key, regardless of the workspace. */
  readonly clientId: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Set when its first stream is opened. Without a stream, it cannot be detected when the client disconnects. */
  leave?: () => void;
  /** Number of requests in progress, including streams. */
  open: number;
  /** Ends the session after the idle time. */
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
   * Handles a request that belongs to a session or starts one. Returns undefined if the request should be handled
   * without a session.
   */
  async serve(request: Request, caller: SessionCaller): Promise<Response | undefined> {
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) return (await mayBegin(request)) ? this.#begin(request, caller) : undefined;
    const session = this.#sessions.get(id);
    if (session?.owner === caller.owner) {
      if (request.method === 'GET') session.leave ??= caller.hold();
      return this.#handle(id, session, request, caller);
    }
    // A call does not need a session. A client that wants notifications must start a new one.
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
      // The size was checked earlier.
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
    // Reinsert, so that the sessions idle for longest come first.
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
