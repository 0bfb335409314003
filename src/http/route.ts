/**
 * Defines a route as one value: method, path, schemas, documentation and handler. Validation, OpenAPI and all
 * documentation pages are generated from it.
 */
import { z } from 'zod';
import type { Action } from '../contract/methods.js';
import { ERROR_KINDS, type ErrorCode } from '../errors.js';
import { JSON_TYPE } from './body.js';
import type { ServerEvent } from './event-stream.js';
import type { LiveConnection } from '../live/connection.js';
import type { LivePeer } from '../live/peer.js';
import type { Asked, Credential } from '../access/gate.js';
import type { Principal } from '../access/principal.js';
import type { Service } from './service.js';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type Fields = z.ZodObject;

/** A binary response with its media type, which must be the route's `bytes`. */
export class BytesAnswer {
  constructor(
    readonly mediaType: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** A response that the browser saves as a file, written as fast as it is read. */
export class FileAnswer {
  constructor(
    readonly name: string,
    readonly mediaType: string,
    readonly pieces: AsyncIterable<string | Uint8Array>,
  ) {}
}

/** What a handler receives, checked and typed. */
export interface RouteCall<P extends Fields, Q extends Fields, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  /** Aborted when the caller has left or the server is stopping. */
  readonly signal: AbortSignal;
  /** Its manager is the caller's: it refuses what the caller's role does not allow. */
  readonly service: Service;
  readonly principal: Principal;
  /** Signs in the page that sent the request. Returns its proof; the response sets its cookie. */
  readonly signIn: (credential: Credential) => Promise<string>;
  /** The last event id that a reconnecting stream client reports. */
  readonly lastEventId: string | undefined;
  /** Sets a response header. */
  readonly setHeader: (name: string, value: string) => void;
  /** Announces that the response may take this long, so that the connection is kept open. */
  readonly expectWait: (ms: number) => void;
}

/**
 * The response as events, for callers that request a stream or, if the route's media type is that of a stream, for all
 * callers.
 */
export interface RouteStream<P extends Fields, Q extends Fields, B extends z.ZodType> {
  /** The events by name, each with its meaning and data. */
  readonly events: Readonly<Record<string, EventKind>>;
  readonly open: (call: RouteCall<P, Q, B>) => AsyncIterable<ServerEvent>;
  /** Number of manager calls that wait at the same time. Default: 1. */
  readonly waits?: number;
}

export interface EventKind {
  readonly meaning: string;
  readonly data: z.ZodType;
  /** For documentation pages. */
  readonly example: unknown;
}

/** One complete example for the documentation; the tests run it. */
export interface RouteExample {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** An example response; for a page, abbreviated text. */
  readonly answer: unknown;
}

export interface RouteDefinition<P extends Fields, Q extends Fields, B extends z.ZodType, A extends z.ZodType> {
  readonly method: HttpMethod;
  /** The path with its parameters in Express notation: `/api/terminals/:terminalId`. */
  readonly path: string;
  /** Unique name, used as `operationId`. */
  readonly name: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly params?: P;
  readonly query?: Q;
  /** What a caller must be allowed to do, if the route does more than call the manager, which checks each call. */
  readonly action?: Action;
  /** Whether it accepts an `Idempotency-Key`. */
  readonly takesKey?: boolean;
  /** Absent: the route takes no body. A missing body is read as `{}`. */
  readonly body?: B;
  readonly status?: number;
  readonly mediaType?: string;
  /** How the gate treats the request; see `Asked`. Default: data. */
  readonly asked?: Asked;
  /** Whether the body is that of an HTML form instead of JSON. */
  readonly takesForm?: boolean;
  /** Media type of the response if the handler returns a `BytesAnswer`. Absent: it never does. */
  readonly bytes?: string;
  /** The complete response including the envelope; a string for anything other than JSON. */
  readonly answer: A;
  /** Error codes of this route in addition to those that `errorsOf` derives. */
  readonly errors?: readonly ErrorCode[];
  readonly example: RouteExample;
  readonly handle: (call: RouteCall<P, Q, B>) => Promise<z.input<A> | BytesAnswer | FileAnswer> | z.input<A>;
  /** Absent: the route has no stream. */
  readonly stream?: RouteStream<P, Q, B>;
  /** For a route that is a WebSocket: serves the connection, after `handle` has let it through. */
  readonly upgrade?: (call: RouteCall<P, Q, B>, peer: LivePeer, caller: SocketCaller) => Promise<void>;
}

/** The caller behind a WebSocket. */
export type SocketCaller = Pick<LiveConnection, 'principal' | 'explain'>;

export const TAGS = [
  'Terminals',
  'Commands',
  'Output',
  'Live',
  'All terminals',
  'Hooks',
  'Sign-in',
  'Service',
] as const;
export type Tag = (typeof TAGS)[number];

/** A route as the server and the documentation see it, without its specific types. */
export interface Route extends Omit<
  RouteDefinition<Fields, Fields, z.ZodType, z.ZodType>,
  'handle' | 'params' | 'query' | 'stream' | 'upgrade'
> {
  readonly params: Fields;
  readonly query: Fields;
  readonly status: number;
  readonly mediaType: string;
  readonly handle: (call: RouteCall<Fields, Fields, z.ZodType>) => unknown;
  readonly stream?: RouteStream<Fields, Fields, z.ZodType>;
  readonly upgrade?: (
    call: RouteCall<Fields, Fields, z.ZodType>,
    peer: LivePeer,
    caller: SocketCaller,
  ) => Promise<void>;
}

const nothing = z.strictObject({});
type Nothing = typeof nothing;

/** Creates a route from its definition and fills in the defaults: no parameters, 200, JSON. */
export function route<
  A extends z.ZodType,
  P extends Fields = Nothing,
  Q extends Fields = Nothing,
  B extends z.ZodType = z.ZodUndefined,
>(definition: RouteDefinition<P, Q, B, A>): Route {
  return {
    status: 200,
    mediaType: JSON_TYPE,
    ...definition,
    params: definition.params ?? nothing,
    query: definition.query ?? nothing,
    // The server calls a handler only with values that passed these schemas.
    handle: definition.handle,
    ...(definition.stream ? { stream: definition.stream } : {}),
    ...(definition.upgrade ? { upgrade: definition.upgrade } : {}),
  };
}

/** The envelope of the original API around data. */
export const dataOf = <T extends z.ZodType>(data: T) => z.strictObject({ success: z.literal(true), data });

/** The envelope of the original API around a message. */
export const messageOf = <M extends string>(message: M) =>
  z.strictObject({ success: z.literal(true), message: z.literal(message) });

/** Returns a response in the data envelope. */
export const ok = <T>(data: T) => ({ success: true as const, data });

/** Returns a response in the message envelope. */
export const done = <M extends string>(message: M) => ({ success: true as const, message });

export const ERROR_CODES = Object.keys(ERROR_KINDS) as [ErrorCode, ...ErrorCode[]];

/** The error form of the original API. */
export const errorForm = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({
    code: z.enum(ERROR_CODES).describe('The error code, for programs.'),
    message: z.string().describe('What is wrong and what to do, for people.'),
    details: z.record(z.string(), z.unknown()).describe('More, by code: `issues`, `limit`, `value`, `requestId` …'),
  }),
});

/** Error codes shared by whole classes of routes. */
export const COMMON_ERRORS: readonly CommonErrors[] = [
  {
    of: 'every route',
    concerns: () => true,
    codes: [
      'INVALID_INPUT', // every route refuses parameters it does not know
      'UNAUTHORIZED',
      'HOST_NOT_ALLOWED',
      'ORIGIN_NOT_ALLOWED',
      'RATE_LIMITED',
      'FORBIDDEN',
      'INTERNAL_ERROR',
    ],
  },
  {
    of: 'every route with a body',
    concerns: ({ body }) => body !== undefined,
    codes: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    // What the first request created may be gone when it is repeated.
    of: 'every route that accepts an `Idempotency-Key`',
    concerns: ({ takesKey }) => takesKey === true,
    codes: ['KEY_REUSED', 'TERMINAL_NOT_FOUND', 'LIMIT_REACHED', 'SHUTTING_DOWN'],
  },
  {
    of: 'every route except the service, hook and sign-in routes',
    concerns: ({ tag }) => tag !== 'Service' && tag !== 'Hooks' && tag !== 'Sign-in',
    codes: ['HOST_UNRESPONSIVE', 'HOST_LOST', 'HOST_FAILED'],
  },
];

export interface CommonErrors {
  /** Which routes, for the documentation. */
  readonly of: string;
  readonly concerns: (route: Route) => boolean;
  readonly codes: readonly ErrorCode[];
}

/** Returns every error code of a route: its own and those of its classes. */
export function errorsOf(route: Route): ErrorCode[] {
  const common = COMMON_ERRORS.filter(({ concerns }) => concerns(route)).flatMap(({ codes }) => codes);
  return [...new Set<ErrorCode>([...(route.errors ?? []), ...common])];
}
