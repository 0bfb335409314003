/**
 * Sessions over HTTP, in the revisions with a handshake: where a client is told what it watches, and asked in the middle
 * of a call. All else is done without one, so that a session that is not known any more, because the server was started
 * anew, fails no call. It knows no tool and no resource.
 */
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { AuthInfo, McpServer } from '@modelcontextprotocol/server';
import { Remembered } from './remembered.js';

const SESSION_HEADER = 'Mcp-Session-Id';
/** Each may hold a connection, and a subscription for each terminal it watches. */
const MAX_SESSIONS = 100;
/** Without a request in work, and without a stream to be told by. */
const IDLE_MS = 5 * 60_000;
/** That were ended by their clients, and are refused from then on. */
const MAX_ENDED = 1000;

export interface SessionsOptions {
  /** Told of requests that are refused, and why. */
  readonly onRefusal: (error: Error) => void;
  /** How long a session is kept that nobody uses, in milliseconds. Default: five minutes. */
  readonly idleMs?: number;
}

/** Who asks. */
export interface SessionAsker {
  /** Nobody else is let into the same session. */
  readonly owner: string;
  /** Called when its client can be seen to be there; the answer, when it has gone. */
  readonly hold: () => () => void;
  readonly authInfo: AuthInfo;
}

interface Session {
  readonly owner: string;
  /** Of `AuthInfo`: whose key, whatever the workspace. */
  readonly clientId: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** From its first stream on: of a client without one nobody knows when it goes. */
  leave?: () => void;
  /** Requests in work, streams included. */
  open: number;
  /** Ends it when it has rested long enough. */
  rest?: NodeJS.Timeout;
}

export class HttpSessions {
  readonly #build: (asker: SessionAsker) => McpServer;
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #ended = new Remembered<true>(MAX_ENDED);

  constructor(build: (asker: SessionAsker) => McpServer, options: SessionsOptions) {
    this.#build = build;
    this.#options = options;
  }

  /** Answers what belongs to a session, or begins one; undefined: it is to be answered without. */
  async serve(request: Request, asker: SessionAsker): Promise<Response | undefined> {
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) return (await mayBegin(request)) ? this.#begin(request, asker) : undefined;
    const session = this.#sessions.get(id);
    if (session?.owner === asker.owner) {
      if (request.method === 'GET') session.leave ??= asker.hold();
      return this.#handle(id, session, request, asker.authInfo);
    }
    // A call needs none. Who wants to be told something has to begin anew.
    return request.method === 'POST' && this.#ended.peek(id) === undefined ? undefined : notFound();
  }

  async endThoseOf(clientId: string): Promise<void> {
    const ids = [...this.#sessions].filter(([, session]) => session.clientId === clientId).map(([id]) => id);
    await Promise.all(ids.map((id) => this.#end(id)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #begin(request: Request, asker: SessionAsker): Promise<Response | undefined> {
    if (this.#sessions.size >= MAX_SESSIONS && !(await this.#makeRoom())) return undefined;
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => {
        this.#ended.set(id, true);
        this.#forget(id);
      },
      // Its size was looked at before.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
    const server = this.#build(asker);
    await server.connect(transport);
    server.server.onerror = this.#options.onRefusal;
    const response = await this.#handle(
      id,
      { owner: asker.owner, clientId: asker.authInfo.clientId, server, transport, open: 0 },
      request,
      asker.authInfo,
    );
    if (!response.ok) await this.#end(id);
    return response;
  }

  #handle(id: string, session: Session, request: Request, authInfo: AuthInfo): Promise<Response> {
    // Those that have rested longest come first.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.open++;
    clearTimeout(session.rest);
    const done = () => {
      session.open--;
      if (session.open === 0 && this.#sessions.get(id) === session) this.#letRest(id, session);
    };
    if (request.signal.aborted) done();
    else request.signal.addEventListener('abort', done, { once: true });
    return session.transport.handleRequest(request, { authInfo });
  }

  #letRest(id: string, session: Session): void {
    session.rest = setTimeout(() => void this.#end(id), this.#options.idleMs ?? IDLE_MS).unref();
  }

  /** Ends the session that has rested longest, if one rests. */
  async #makeRoom(): Promise<boolean> {
    const [resting] = [...this.#sessions].find(([, { open }]) => open === 0) ?? [];
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
