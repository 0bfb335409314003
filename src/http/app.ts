/**
 * Processes every request in order: the gate, the security headers, the route table and the mounts. Reports all errors
 * in the same form. Opens no socket.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { ClientAddresses } from '../access/client-address.js';
import type { AnswerRight } from '../access/answer-links.js';
import type { Admission, Asked, Credential, Gate } from '../access/gate.js';
import { expiredCookies } from '../access/page-request.js';
import { permitted } from '../access/permitted-manager.js';
import type { Principal } from '../access/principal.js';
import { valuesOf } from '../access/request-headers.js';
import { checkRole } from '../access/roles.js';
import { callerOf } from '../contract/caller.js';
import { invalidInput, TerminalError } from '../errors.js';
import { readBody, readForm } from './body.js';
import { resolveTerminalId } from '../calls/terminal-id.js';
import { check } from '../check.js';
import type { IdempotencyKeys } from './idempotency.js';
import { isAtEnd, refuseReplay } from './event-ids.js';
import { EVENT_STREAM, isStreamType, sendEvents, write, type StreamType } from './event-stream.js';
import { sendText, sendUnchanged } from './complete-response.js';
import { Exchange } from './exchange.js';
import { serveMount, type Mount } from './mount.js';
import { handleIdempotently, keyOf } from './routes/idempotent-request.js';
import { PageFiles } from './page-files.js';
import { problemOf, sendProblem } from './problems.js';
import { readPathParams, readQuery } from './query.js';
import { recordRequest } from './request-log.js';
import { holdOf } from './hold.js';
import { JSON_TYPE } from './body.js';
import { BytesAnswer, FileAnswer, type RouteCall, type Fields, type Route } from './route.js';
import { securityHeaders } from './security-headers.js';
import type { Service } from './service.js';
import { acceptUpgrade } from './upgrade.js';
import { methodNotAllowed, readTarget, routeNotFound } from './unmatched.js';
import { WaitLimit } from './wait-limit.js';

export interface AppDeps {
  readonly routes: readonly Route[];
  /** Protocols other than REST, each at its own path. */
  readonly mounts?: readonly Mount[];
  readonly service: Service;
  /** Directory that contains the built page for browsers. */
  readonly pageDir: string;
  readonly gate: Gate;
  /** Records of requests with an `Idempotency-Key`. */
  readonly keys: IdempotencyKeys;
  readonly log: Logger;
  readonly maxBodyBytes: number;
  /** Maximum number of requests per caller that can wait at the same time. */
  readonly maxWaitingReads: number;
  readonly isTls: boolean;
  /** Whether successful reads are logged like other requests; if not, only when TENACITTY_LOG_LEVEL is debug. */
  readonly logReads: boolean;
  readonly trustedProxies: readonly string[];
  /** Called for each request when it arrives. */
  readonly onExchange: (exchange: Exchange) => void;
}

interface Deps extends AppDeps {
  readonly page: PageFiles;
  readonly waits: WaitLimit;
}

/** Returns the listener for all requests of a server. */
export function createApp(given: AppDeps): RequestListener {
  const deps: Deps = { ...given, waits: new WaitLimit(given.maxWaitingReads), page: new PageFiles(given.pageDir) };
  const secure = securityHeaders(deps.isTls);
  const addresses = new ClientAddresses(deps.trustedProxies);
  const routed = createRouter(deps);
  return (request, response) => {
    const exchange = new Exchange(request, response);
    exchange.address = addresses.of(request.socket.remoteAddress ?? '', valuesOf(request, 'x-forwarded-for'));
    deps.onExchange(exchange);
    response.once('close', () => recordRequest(exchange, deps));
    enter(exchange, deps, secure)
      .then((isAdmitted) => {
        if (isAdmitted) routed(request, response);
      })
      .catch((error: unknown) => sendProblem(exchange, error, deps.log));
  };
}

type Secure = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Applies the gate before anything else in the request is examined, and serves the page's files. Resolves to whether
 * the request continues to the routes.
 */
async function enter(exchange: Exchange, { gate, routes, page }: Deps, secure: Secure): Promise<boolean> {
  const { request, response } = exchange;
  secure(request, response);
  exchange.setHeaders({ 'X-Request-Id': exchange.id, 'Cache-Control': 'no-store' });
  const file = page.pathFor(request);
  const admission = await gate.admit(request, file === undefined ? askedOf(request, routes) : 'page');
  apply(admission, exchange);
  if (admission.outcome === 'admitted') exchange.principal = admission.principal;
  exchange.isPreflight = admission.outcome === 'preflight';
  if (exchange.isPreflight) exchange.sendEmpty(NO_CONTENT);
  else if (file !== undefined) page.send(file, exchange);
  return !exchange.isPreflight && file === undefined;
}

/** @throws The error that the gate refuses the request with. */
function apply(admission: Admission, exchange: Exchange): void {
  exchange.setHeaders(admission.headers);
  if (admission.outcome !== 'refused') return;
  exchange.refusal = admission.reason ?? admission.error.message;
  throw admission.error;
}

/** Compares the raw path, so that the router cannot interpret it differently. */
function askedOf({ method = '', url = '' }: IncomingMessage, routes: readonly Route[]): Asked {
  const path = url.split('?', 1)[0];
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  return routes.find((route) => route.method === verb && route.path === path)?.asked ?? 'data';
}

const OK = 200;
const NO_CONTENT = 204;
/** Far larger than a code or a key, but small, because a caller that signs in has not been identified yet. */
const MAX_SIGN_IN_BYTES = 4096;

function createRouter(deps: Deps) {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  app.enable('case sensitive routing').enable('strict routing');
  app.use(((request, _response, next) => {
    readTarget(request.url);
    next();
  }) satisfies RequestHandler);
  for (const path of new Set(deps.routes.map((each) => each.path))) addPath(app, path, deps);
  for (const mount of deps.mounts ?? []) addMount(app, mount, deps);
  app.use(((request) => {
    throw routeNotFound(request.method, readTarget(request.url).path, deps.routes);
  }) satisfies RequestHandler);
  // Express recognises an error handler by its four parameters.
  app.use(((error, request, _response, _next) =>
    sendProblem(Exchange.of(request), error, deps.log)) satisfies ErrorRequestHandler);
  return app;
}

/** Adds all routes of one path, and the response to methods that the path does not support. */
function addPath(app: express.Express, path: string, deps: Deps): void {
  const routes = deps.routes.filter((each) => each.path === path);
  const methods = routes.map(({ method }) => method.toUpperCase());
  const target = noting(app, path);
  for (const each of routes) target[each.method]((request) => serve(each, Exchange.of(request), deps));
  refuseOthers(target, path, [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
}

function addMount(app: express.Express, mount: Mount, { maxBodyBytes, waits, gate }: Deps): void {
  const target = noting(app, mount.path);
  target.all((request, _response, next) => {
    if (!mount.methods.includes(request.method)) return next();
    const exchange = Exchange.of(request);
    // Calls may wait, but requests that only listen (GET) do not count as waiting.
    if (request.method === 'POST') waits.begin(exchange);
    const countCalls = async (calls: number) => {
      waits.begin(exchange, calls);
      apply(await gate.countMore(exchange.principal!, calls - 1), exchange);
    };
    return serveMount(mount, exchange, { maxBodyBytes, countCalls });
  });
  refuseOthers(target, mount.path, [...mount.methods, 'OPTIONS']);
}

/** Returns a route for `path` that records the path for the metrics and the log. */
function noting(app: express.Express, path: string): express.IRoute {
  return app.route(path).all((request, _response, next) => {
    Exchange.of(request).routePath = path;
    next();
  });
}

function refuseOthers(target: express.IRoute, path: string, allowed: readonly string[]): void {
  target.all((request, response) => {
    response.setHeader('Allow', allowed.join(', '));
    if (request.method !== 'OPTIONS') throw methodNotAllowed(request.method, path, allowed);
    Exchange.of(request).sendEmpty(NO_CONTENT);
  });
}

/** Checks the input against the route's schemas, calls its handler and writes the response. */
async function serve(route: Route, exchange: Exchange, deps: Deps): Promise<void> {
  if (route.action) checkRole(principalOf(exchange).role, route.action);
  const call = await readCall(route, exchange, deps);
  if (route.upgrade) return openLive(route, route.upgrade, call, exchange, deps);
  const streamType = streamTypeOf(route, exchange);
  const key = keyOf(route, exchange, streamType !== undefined);
  await nameToId(call, exchange);
  if (streamType !== undefined) return stream(route, streamType, call, exchange, deps);
  const answer = await (key === undefined
    ? route.handle(call)
    : handleIdempotently(route, call, key, { exchange, keys: deps.keys }));
  exchange.terminalId ??= idIn((answer as { data?: unknown }).data);
  if (answer instanceof FileAnswer) return sendFile(exchange, answer);
  if (answer instanceof BytesAnswer) return exchange.sendBytes(route.status, answer.mediaType, answer.bytes);
  // The line end separates responses on a person's terminal.
  const text = route.mediaType === JSON_TYPE ? `${JSON.stringify(answer)}\n` : String(answer);
  if (route.asked === 'docs' && sendUnchanged(exchange, text)) return;
  await sendText(exchange, route.status, route.mediaType, text);
}

/**
 * Sends a file. An error before the first piece results in an ordinary error response; a later one visibly truncates
 * the file.
 */
async function sendFile({ response }: Exchange, { name, mediaType, pieces }: FileAnswer): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  let next = await iterator.next();
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  response.writeHead(OK);
  try {
    for (; next.done !== true && !response.destroyed; next = await iterator.next()) await write(response, next.value);
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    await iterator.return?.();
  }
}

async function openLive(
  route: Route,
  serveConnection: NonNullable<Route['upgrade']>,
  call: AnyCall,
  exchange: Exchange,
  { waits, log }: Deps,
): Promise<void> {
  await nameToId(call, exchange);
  await route.handle(call);
  waits.begin(exchange);
  const peer = await acceptUpgrade(exchange);
  const explain = (error: unknown) => problemOf(exchange, error, log);
  await serveConnection(call, peer, { principal: exchange.principal!, explain });
}

async function stream(
  { method, status, stream: source }: Route,
  type: StreamType,
  call: AnyCall,
  exchange: Exchange,
  { log, waits, maxWaitingReads }: Deps,
): Promise<void> {
  if (method !== 'get') refuseReplay(call.lastEventId);
  else if (isAtEnd(call.lastEventId)) return exchange.sendEmpty(NO_CONTENT);
  // If the caller's limit is lower than what the stream needs, the stream uses all of the caller's waits.
  waits.begin(exchange, Math.min(source?.waits ?? 1, maxWaitingReads));
  return sendEvents(exchange, status, source!.open(call), log, type);
}

type AnyCall = RouteCall<Fields, Fields, z.ZodType>;

function principalOf({ principal = NOBODY }: Exchange): Principal {
  return principal;
}

async function readCall(route: Route, exchange: Exchange, { service, gate, maxBodyBytes, waits }: Deps) {
  const { request, response, signal } = exchange;
  const given = (request as express.Request).params as Record<string, string>;
  const params = check('path', route.params, readPathParams(given, route.params));
  exchange.terminalId = idIn(params);
  const query = check('query', route.query, readQuery(readTarget(request.url!).query, route.query));
  if (!route.body) refuseBody(exchange);
  const maxBytes = route.asked === 'sign-in' ? MAX_SIGN_IN_BYTES : maxBodyBytes;
  const read = route.takesForm ? readForm : readBody;
  const body = route.body && check('body', route.body, await read(exchange, maxBytes));
  const setHeader = (name: string, value: string) => void response.setHeader(name, value);
  const expectWait = (ms: number) => {
    if (ms > 0) waits.begin(exchange);
    exchange.expectWait(ms);
  };
  const lastEventId = [request.headers['last-event-id']].flat()[0];
  const principal = principalOf(exchange);
  const by = callerOf('rest', principal.name);
  const manager = permitted(service.manager, { role: principal.role, by, hold: holdOf(request) });
  return {
    params,
    query,
    body,
    signal,
    service: { ...service, manager },
    principal,
    signIn: (credential) => signIn(credential, exchange, gate),
    clearCookie: () => exchange.setHeaders({ 'Set-Cookie': expiredCookies(request) }),
    answerRight: (code) => answerRight(code, exchange, gate),
    lastEventId,
    setHeader,
    expectWait,
  } satisfies AnyCall;
}

async function signIn(credential: Credential, exchange: Exchange, gate: Gate): Promise<string> {
  const admission = await gate.exchange(exchange.request, credential);
  apply(admission, exchange);
  if (admission.outcome !== 'admitted') throw new Error('A credential was neither accepted nor refused');
  const { proof, cookie } = gate.signIns.begin(exchange.request, admission.principal);
  exchange.principal = admission.principal;
  exchange.setHeaders({ 'Set-Cookie': cookie });
  return proof;
}

async function answerRight(answerCode: string, exchange: Exchange, gate: Gate): Promise<AnswerRight> {
  const admission = await gate.exchange(exchange.request, { answerCode });
  apply(admission, exchange);
  if (admission.outcome !== 'answerer') throw new Error('A code was neither accepted nor refused');
  exchange.terminalId = admission.right.terminalId;
  return admission.right;
}

/** The caller of public pages, which require no identity. */
const NOBODY: Principal = { id: 'guest', kind: 'key', name: '', role: 'guest' };

/** Resolves a terminal name to its id, because handlers accept only ids. */
async function nameToId({ params, service }: AnyCall, exchange: Exchange): Promise<void> {
  const given = exchange.terminalId;
  if (given !== undefined) exchange.terminalId = params['terminalId'] = await resolveTerminalId(service.manager, given);
}

/**
 * Returns the media type of the stream to respond with, or undefined for a single complete response. For a caller that
 * accepts several types equally, this is the route's first type.
 *
 * @throws `NOT_ACCEPTABLE` if the caller accepts only a stream, but the route has none.
 */
function streamTypeOf({ stream, mediaType, path }: Route, { request }: Exchange): StreamType | undefined {
  if (stream === undefined && acceptsOnlyStreams(request as express.Request, mediaType)) throw noStream(path);
  if (stream === undefined || request.method === 'HEAD') return undefined;
  const type = (request as express.Request).accepts([mediaType, EVENT_STREAM]) || mediaType;
  return isStreamType(type) ? type : undefined;
}

function acceptsOnlyStreams(request: express.Request, mediaType: string): boolean {
  return !request.accepts(mediaType.split(';')[0]!) && request.accepts(EVENT_STREAM) !== false;
}

function noStream(path: string): TerminalError {
  const message = `${path} has no stream of events; expected Accept: application/json. Live output: docs/live.md`;
  return new TerminalError('NOT_ACCEPTABLE', message, { header: 'Accept', given: EVENT_STREAM });
}

function refuseBody({ hasBody }: Exchange): void {
  if (hasBody) throw invalidInput({ field: 'body', message: 'this route accepts no body', expected: 'no body' });
}

/** Returns the id of the terminal that the path parameters or the response data refer to, if any. */
function idIn(fields: unknown): string | undefined {
  const { terminalId } = (fields ?? {}) as { terminalId?: unknown };
  return typeof terminalId === 'string' ? terminalId : undefined;
}
