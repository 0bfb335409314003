/**
 * Serves MCP over HTTP in both generations of the protocol. Each request is handled by its own server object, except
 * for requests of a session; lasting state is in the workspaces. Callers have already been authenticated.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { AuthInfo, McpHttpHandler, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { CreateAnswerLink } from '../access/answer-links.js';
import { accountOf, type Principal } from '../access/principal.js';
import { limitReached, TerminalError } from '../errors.js';
import { HttpSessions } from './http-sessions.js';
import { LruMap } from '../lru-map.js';
import type { SessionsOptions } from './http-sessions.js';
import { ListChanges } from './resources/list-changes.js';
import { LISTEN, parseListenRequest } from './resources/listen-request.js';
import { PasswordQuestions } from './secrets/password-questions.js';
import { ResourceUpdates } from './resources/updates.js';
import { WatchBudget } from './resources/watch-budget.js';
import { createMcpServer } from './server.js';
import type { ServingOptions } from './server.js';
import type { Workspace } from './workspace.js';
import { WORKSPACE_HEADER } from './workspaces.js';
import type { Workspaces } from './workspaces.js';

/** Maximum number of listening clients per account, because each keeps a connection open. */
const MAX_LISTENING = 100;
/** Requests whose content is kept for as long as the session or the response lasts. */
const KEPT_METHODS: ReadonlySet<unknown> = new Set(['initialize', LISTEN]);
const MAX_KEPT_CHARS = 64 << 10;
/** Far more than the number of keys in use. */
const MAX_BUDGETS = 10_000;

export interface HttpErrorHandlers {
  /** Called for internal errors. */
  readonly onFault: (error: unknown) => void;
  /** Called with the reason for each request that is refused. */
  readonly onRefusal: (error: Error) => void;
}

interface HttpCaller {
  readonly principal: Principal;
  /** Aborts to end a wait; the call then returns its result so far. */
  readonly signal: AbortSignal;
  /** Aborts when the caller has left or the response is complete. */
  readonly over: AbortSignal;
  /** Counts a request that contains several calls as that many requests. */
  countCalls(calls: number): Promise<void>;
}

/** What the SDK passes from a request to the server that is created for it. */
interface RequestContext extends Record<string, unknown> {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly principal: Principal;
}

export class McpOverHttp {
  readonly #workspaces: Workspaces;
  readonly #handler: McpHttpHandler;
  readonly #faults: HttpErrorHandlers;
  readonly #build: typeof createMcpServer;
  readonly #calls = new Set<Promise<void>>();
  readonly #person: PasswordQuestions;
  /** The handlers that are listening, each with its account. */
  readonly #listening = new Map<McpHttpHandler, string>();
  readonly #budgets = new LruMap<WatchBudget>(MAX_BUDGETS);
  readonly #sessions: HttpSessions;

  /**
   * @param build - Creates the server for one request or session. Default: a server with the `terminal` tool.
   * @param createLink - Creates links for passwords. Default: there are none.
   */
  constructor(
    workspaces: Workspaces,
    faults: HttpErrorHandlers,
    build = createMcpServer,
    sessions: Omit<SessionsOptions, 'onRefusal'> = {},
    createLink: CreateAnswerLink = () => Promise.resolve(undefined),
  ) {
    this.#workspaces = workspaces;
    this.#faults = faults;
    this.#build = build;
    this.#person = new PasswordQuestions(createLink);
    this.#handler = this.#newHandler();
    const { onRefusal } = faults;
    this.#sessions = new HttpSessions(({ authInfo }) => this.#serverOf(authInfo, 'requests'), {
      ...sessions,
      onRefusal,
    });
  }

  /**
   * Handles one request.
   *
   * @throws `INVALID_INPUT` if the name of a workspace is invalid, or the errors of `countCalls`.
   */
  async handle(request: Request, asker: HttpCaller): Promise<Response> {
    const { principal, signal, over } = asker;
    const name = request.headers.get(WORKSPACE_HEADER) ?? undefined;
    const workspace = this.#workspaces.of(principal, name);
    const extra: RequestContext = { workspace, signal, principal };
    const authInfo: AuthInfo = { token: '', clientId: principal.id, scopes: [], extra };
    const isToListen = request.headers.get('Mcp-Method') === LISTEN;
    if (request.method === 'POST' && !isToListen) this.#keep(over);
    const messages = await messagesIn(request, isToListen);
    if (messages > 1) await asker.countCalls(messages);
    if (isToListen) return this.#listen(request, workspace.as(principal), { authInfo, asker });
    const owner = JSON.stringify([principal.id, name]);
    const hold = () => workspace.presence.hold();
    const answer = await this.#sessions.serve(request, { owner, account: accountOf(principal), authInfo, over, hold });
    return answer ?? this.#handler.fetch(request, { authInfo });
  }

  /** Ends the sessions of a principal whose access has been revoked. */
  forget(principalId: string): void {
    void this.#sessions.endThoseOf(principalId);
  }

  /** Ends the streams of listening clients after the calls in progress have finished. */
  async close(): Promise<void> {
    await Promise.all(this.#calls);
    await Promise.all([this.#handler, this.#sessions, ...this.#listening.keys()].map((each) => each.close()));
  }

  #newHandler(): McpHttpHandler {
    const { onRefusal } = this.#faults;
    return createMcpHandler(
      ({ era, authInfo }) => this.#serverOf(authInfo!, era === 'modern' ? 'listening' : undefined),
      // The size has already been checked.
      { onerror: onRefusal, maxRequestBodySize: Number.MAX_SAFE_INTEGER },
    );
  }

  #serverOf({ extra }: AuthInfo, watching: ServingOptions['watching']): McpServer {
    const { workspace, principal } = extra as RequestContext;
    // Uses the context of the request, not that of the caller that started the session.
    const requestOf = (context?: ServerContext) => context?.http?.authInfo?.extra as RequestContext | undefined;
    return this.#build(workspace, {
      principalOf: (context) => requestOf(context)?.principal ?? principal,
      onFault: this.#faults.onFault,
      ending: (context) => requestOf(context)?.signal,
      ...(watching && { watching }),
      budget: this.#budgetOf(accountOf(principal)),
      // A caller with a key may be on another machine, where a link to this one does not work.
      ...(principal.kind === 'local' && { person: this.#person }),
    });
  }

  /** Creates a separate handler, because resource names refer to different terminals in each workspace. */
  async #listen(
    request: Request,
    workspace: Workspace,
    { authInfo, asker }: { readonly authInfo: AuthInfo; readonly asker: HttpCaller },
  ): Promise<Response> {
    const { over } = asker;
    const account = accountOf(asker.principal);
    if ([...this.#listening.values()].filter((each) => each === account).length >= MAX_LISTENING) {
      throw limitReached('MAX_LISTENING', MAX_LISTENING, 'Too many clients of this caller are listening');
    }
    const handler = this.#newHandler();
    this.#listening.set(handler, account);
    const notify = (uri: string) => handler.notify.resourceUpdated(uri);
    const updates = new ResourceUpdates(workspace, notify, this.#budgetOf(account));
    const list = new ListChanges(workspace, () => handler.notify.resourcesChanged());
    const end = () => {
      updates.close();
      list.close();
      this.#listening.delete(handler);
      void handler.close();
    };
    over.addEventListener('abort', end, { once: true });
    const message: unknown = await request
      .clone()
      .json()
      .catch(() => undefined);
    const { uris, toList } = parseListenRequest(message);
    await updates.watch(uris);
    if (toList) await list.watch();
    // A signal that has already aborted emits no further event.
    if (over.aborted) end();
    return handler.fetch(request, { authInfo });
  }

  #budgetOf(account: string): WatchBudget {
    return this.#budgets.get(account, () => new WatchBudget());
  }

  /** Tracks a request until the last byte of its response has been sent or the caller has disconnected. */
  #keep(over: AbortSignal): void {
    const call = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
    this.#calls.add(call);
    void call.then(() => this.#calls.delete(call));
  }
}

/**
 * Returns the number of messages in a request. Only the revision 2025-03-26 has batches: lists of messages, each of
 * which may be a call.
 *
 * @throws `PAYLOAD_TOO_LARGE` if what would be kept after the response is too large.
 */
async function messagesIn(request: Request, isToListen: boolean): Promise<number> {
  if (request.method !== 'POST') return 0;
  const text = await request.clone().text();
  const messages = messagesOf(text);
  const isKept = isToListen || messages.some((message) => KEPT_METHODS.has(methodOf(message)));
  if (isKept && text.length > MAX_KEPT_CHARS) {
    const message = `The server keeps what ${[...KEPT_METHODS].join(' and ')} contain: at most ${MAX_KEPT_CHARS} characters`;
    throw new TerminalError('PAYLOAD_TOO_LARGE', message, { limit: 'MAX_KEPT_CHARS', value: MAX_KEPT_CHARS });
  }
  return messages.length;
}

function messagesOf(text: string): readonly unknown[] {
  try {
    const body: unknown = JSON.parse(text);
    return Array.isArray(body) ? body : [body];
  } catch {
    return [undefined];
  }
}

const methodOf = (message: unknown): unknown => (message as { method?: unknown } | null | undefined)?.method;
