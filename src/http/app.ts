/**
 * What happens to every request, in order: the gate, the security headers, the one table of routes and what is mounted
 * beside it, and one form for whatever goes wrong. It opens no socket.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { ClientAddresses } from '../access/client-address.js';
import type { Gate } from '../access/gate.js';
import { valuesOf } from '../access/request-headers.js';
import { invalidInput } from '../errors.js';
import { readBody } from './body.js';
import { idOf } from '../calls/terminal-id.js';
import { check } from '../check.js';
import type { IdempotencyKeys } from './idempotency.js';
import { isAtEnd, refuseAgain } from './event-ids.js';
import { EVENT_STREAM, sendEvents } from './event-stream.js';
import { Exchange } from './exchange.js';
import { serveMount, type Mount } from './mount.js';
import { handleOnce, keyOf } from './routes/once.js';
import { sendProblem } from './problems.js';
import { readPathParams, readQuery } from './query.js';
import { recordRequest } from './request-log.js';
import { JSON_TYPE } from './body.js';
import { BytesAnswer, type Call, type Fields, type Route } from './route.js';
import { securityHeaders } from './security-headers.js';
import type { Service } from './service.js';
import { methodNotAllowed, readTarget, routeNotFound } from './unmatched.js';
import { Waits } from './waits.js';

export interface AppDeps {
  readonly routes: readonly Route[];
  /** Other protocols, on paths of their own. */
  readonly mounts?: readonly Mount[];
  readonly service: Service;
  readonly gate: Gate;
  /** Which requests were made with an `Idempotency-Key`. */
  readonly keys: IdempotencyKeys;
  readonly log: Logger;
  readonly maxBodyBytes: number;
  /** Most requests of one caller that may wait at one time. */
  readonly maxWaitingReads: number;
  readonly isTls: boolean;
  /** Whether reads that went well are logged as all else is; else only where TENACITTY_LOG_LEVEL is debug. */
  readonly logReads: boolean;
  readonly trustedProxies: readonly string[];
  /** Told of each request as it arrives. */
  readonly onExchange: (exchange: Exchange) => void;
}

interface Deps extends AppDeps {
  readonly waits: Waits;
}

/** The listener for all requests of a server. */
export function createApp(given: AppDeps): RequestListener {
  const deps: Deps = { ...given, waits: new Waits(given.maxWaitingReads) };
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

/** The gate, before anything is looked at. Resolves to whether the routes may see the request. */
async function enter(exchange: Exchange, { gate, routes }: AppDeps, secure: Secure): Promise<boolean> {
  const { request, response } = exchange;
  secure(request, response);
  exchange.setHeaders({ 'X-Request-Id': exchange.id, 'Cache-Control': 'no-store' });
  const admission = await gate.admit(request, isPublic(request, routes));
  exchange.setHeaders(admission.headers);
  if (admission.outcome === 'refused') {
    exchange.refusal = admission.reason ?? admission.error.message;
    throw admission.error;
  }
  if (admission.outcome === 'preflight') exchange.sendEmpty(NO_CONTENT);
  else if (admission.outcome === 'admitted') exchange.principal = admission.principal;
  return admission.outcome !== 'preflight';
}

/** By the very letters of the path, so that the router can make nothing else of it. */
function isPublic({ method, url = '' }: IncomingMessage, routes: readonly Route[]): boolean {
  const path = url.split('?', 1)[0];
  return (method === 'GET' || method === 'HEAD') && routes.some((route) => route.isPublic && route.path === path);
}

const NO_CONTENT = 204;

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
  // Express tells this kind of function by its four parameters.
  app.use(((error, request, _response, _next) =>
    sendProblem(Exchange.of(request), error, deps.log)) satisfies ErrorRequestHandler);
  return app;
}

/** All routes of one path, and the answers to methods it does not have. */
function addPath(app: express.Express, path: string, deps: Deps): void {
  const routes = deps.routes.filter((each) => each.path === path);
  const methods = routes.map(({ method }) => method.toUpperCase());
  const target = noting(app, path);
  for (const each of routes) target[each.method]((request) => serve(each, Exchange.of(request), deps));
  refuseOthers(target, path, [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
}

function addMount(app: express.Express, mount: Mount, { maxBodyBytes, waits }: Deps): void {
  const target = noting(app, mount.path);
  target.all((request, _response, next) => {
    if (!mount.methods.includes(request.method)) return next();
    // What is called may wait; what only listens (GET) does not.
    if (request.method === 'POST') waits.begin(Exchange.of(request));
    return serveMount(mount, Exchange.of(request), maxBodyBytes);
  });
  refuseOthers(target, mount.path, [...mount.methods, 'OPTIONS']);
}

/** A path whose requests are counted and logged by it. */
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

/** Checks what was given against the route's schemas, calls its handler, writes the answer. */
async function serve(route: Route, exchange: Exchange, deps: Deps): Promise<void> {
  const call = await readCall(route, exchange, deps);
  const isStream = route.stream !== undefined && asksForEvents(exchange);
  const key = keyOf(route, exchange, isStream);
  await nameToId(call, exchange);
  if (isStream) return stream(route, route.stream, call, exchange, deps);
  const answer = await (key === undefined
    ? route.handle(call)
    : handleOnce(route, call, key, { exchange, keys: deps.keys }));
  exchange.terminalId ??= idIn((answer as { data?: unknown }).data);
  if (answer instanceof BytesAnswer) return exchange.sendBytes(route.status, answer.mediaType, answer.bytes);
  const text = route.mediaType === JSON_TYPE ? JSON.stringify(answer) : String(answer);
  exchange.send(route.status, route.mediaType, text);
}

async function stream(
  { method, status }: Route,
  { open }: NonNullable<Route['stream']>,
  call: AnyCall,
  exchange: Exchange,
  { log, waits }: Deps,
): Promise<void> {
  if (method !== 'get') refuseAgain(call.lastEventId);
  else if (isAtEnd(call.lastEventId)) return exchange.sendEmpty(NO_CONTENT);
  waits.begin(exchange);
  return sendEvents(exchange, status, open(call), log);
}

type AnyCall = Call<Fields, Fields, z.ZodType>;

async function readCall(route: Route, exchange: Exchange, { service, maxBodyBytes, waits }: Deps) {
  const { request, response, signal } = exchange;
  const given = (request as express.Request).params as Record<string, string>;
  const params = check('path', route.params, readPathParams(given, route.params));
  exchange.terminalId = idIn(params);
  const query = check('query', route.query, readQuery(readTarget(request.url!).query, route.query));
  if (!route.body) refuseBody(exchange);
  const body = route.body && check('body', route.body, await readBody(exchange, maxBodyBytes));
  const setHeader = (name: string, value: string) => void response.setHeader(name, value);
  const expectWait = (ms: number) => {
    if (ms > 0) waits.begin(exchange);
    exchange.expectWait(ms);
  };
  const lastEventId = [request.headers['last-event-id']].flat()[0];
  return { params, query, body, signal, service, lastEventId, setHeader, expectWait } satisfies AnyCall;
}

/** A terminal may be asked for by its name; handlers know ids alone. */
async function nameToId({ params, service }: AnyCall, exchange: Exchange): Promise<void> {
  const given = exchange.terminalId;
  if (given !== undefined) exchange.terminalId = params['terminalId'] = await idOf(service.manager, given);
}

/** Who takes both as well gets one whole answer. */
function asksForEvents({ request }: Exchange): boolean {
  return request.method !== 'HEAD' && (request as express.Request).accepts([JSON_TYPE, EVENT_STREAM]) === EVENT_STREAM;
}

function refuseBody({ hasBody }: Exchange): void {
  if (hasBody) throw invalidInput({ field: 'body', message: 'this route takes no body', expected: 'no body' });
}

/** The terminal that path parameters or the data of an answer are about, if they are about one. */
function idIn(fields: unknown): string | undefined {
  const { terminalId } = (fields ?? {}) as { terminalId?: unknown };
  return typeof terminalId === 'string' ? terminalId : undefined;
}
