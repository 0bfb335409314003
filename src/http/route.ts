/**
 * Defines a route as a single value: method, path, schemas, documentation and handler. Validation, OpenAPI and all
 * documentation pages are derived from it.
 */
import { z } from 'zod';
import type { Action } from '../contract/methods.js';
import { ERROR_KINDS, type ErrorCode } from '../errors.js';
import { JSON_TYPE } from './body.js';
import type { ServerEvent } from './event-stream.js';
import type { LiveConnection } from '../live/connection.js';
import type { LivePeer } from '../live/peer.js';
import type { AnswerRight } from '../access/answer-links.js';
import type { Asked, Credential } from '../access/gate.js';
import type { Principal } from '../access/principal.js';
import type { Service } from './service.js';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type Fields = z.ZodObject;

/** A binary response with its media type, which must equal the route's `bytes`. */
export class BytesAnswer {
  constructor(
    readonly mediaType: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** A response that the browser saves as a file. It is written as fast as the browser reads it. */
export class FileAnswer {
  constructor(
    readonly name: string,
    readonly mediaType: string,
    readonly pieces: AsyncIterable<string | Uint8Array>,
  ) {}
}

/** What a handler receives, already validated and typed. */
export interface RouteCall<P extends Fields, Q extends Fields, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  /** Aborts when the caller has left or the server is stopping. */
  readonly signal: AbortSignal;
  /** Its manager acts for the caller: it refuses what the caller's role does not allow. */
  readonly service: Service;
  readonly principal: Principal;
  /** Signs in the page that sent the request, and sets its cookie in the response. Returns its proof. */
  readonly signIn: (credential: Credential) => Promise<string>;
  /** Makes the page's browser delete the cookie of its sign-in. */
  readonly clearCookie: () => void;
  /** Exchanges the code of a link for the right to answer one question. */
  readonly answerRight: (code: string) => Promise<AnswerRight>;
  /** The id of the last event that a reconnecting stream client has received. */
  readonly lastEventId: string | undefined;
  /** Sets a response header. */
  readonly setHeader: (name: string, value: string) => void;
  /** Announces how long the response may take, so that the connection is kept open until then. */
  readonly expectWait: (ms: number) => void;
}

/**
 * The response as a stream of events. Callers receive it if they request a stream, or always if the route's media type
 * is that of a stream.
 */
export interface RouteStream<P extends Fields, Q extends Fields, B extends z.ZodType> {
  /** The events by name, each with its meaning and its data. */
  readonly events: Readonly<Record<string, EventKind>>;
  readonly open: (call: RouteCall<P, Q, B>) => AsyncIterable<ServerEvent>;
  /** Number of manager calls that the stream lets wait at the same time. Default: 1. */
  readonly waits?: number;
}

export interface EventKind {
  readonly meaning: string;
  readonly data: z.ZodType;
  /** Example data for the documentation. */
  readonly example: unknown;
}

/** A complete example for the documentation, which the tests also run. */
export interface RouteExample {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** An example response. If the response is a page, its text is abbreviated. */
  readonly answer: unknown;
}

export interface RouteDefinition<P extends Fields, Q extends Fields, B extends z.ZodType, A extends z.ZodType> {
  readonly method: HttpMethod;
  /** The path, with parameters in Express notation: `/api/terminals/:terminalId`. */
  readonly path: string;
  /** A unique name, used as `operationId`. */
  readonly name: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly params?: P;
  readonly query?: Q;
  /**
   * The action that the caller's role must allow. Needed if the route does more than call the manager, which checks its
   * own calls.
   */
  readonly action?: Action;
  /** Whether the route accepts an `Idempotency-Key`. */
  readonly takesKey?: boolean;
  /** If absent, the route accepts no body. A missing body is treated as `{}`. */
  readonly body?: B;
  readonly status?: number;
  readonly mediaType?: string;
  /** How the gate treats requests to the route; see `Asked`. Default: data. */
  readonly asked?: Asked;
  /** Whether the body is an HTML form instead of JSON. */
  readonly takesForm?: boolean;
  /** Media type of a `BytesAnswer`. Absent if the handler never returns one. */
  readonly bytes?: string;
  /** Schema of the complete response, including the envelope; a string for anything other than JSON. */
  readonly answer: A;
  /** Error codes of this route beyond those that `errorsOf` derives. */
  readonly errors?: readonly ErrorCode[];
  readonly example: RouteExample;
  readonly handle: (call: RouteCall<P, Q, B>) => Promise<z.input<A> | BytesAnswer | FileAnswer> | z.input<A>;
  /** Absent if the route has no stream. */
  readonly stream?: RouteStream<P, Q, B>;
  /** Serves the connection of a WebSocket route after `handle` has admitted it. */
  readonly upgrade?: (call: RouteCall<P, Q, B>, peer: LivePeer, caller: SocketCaller) => Promise<void>;
}

/** The caller behind a WebSocket. */
export type SocketCaller = Pick<LiveConnection, 'principal' | 'explain'>;

/** The groups of routes, each with its description for the documentation. */
export const TAG_DESCRIPTIONS = {
  Terminals: 'Create, list, change, type into and end terminals.',
  Commands: 'Run commands in the shells of terminals, one at a time, each with its own output and exit code.',
  Output: 'Read and search the history of a terminal, its screen and its statistics.',
  Recordings: 'Export what terminals have printed, with the times.',
  Live: 'Follow a terminal, or the events of all terminals, over WebSocket.',
  'All terminals': 'Overview, events and search across all terminals.',
  Hooks: 'Call a URL or run a command when something happens in terminals.',
  'Sign-in': 'Sign browsers in and out.',
  Service: 'Health, metrics and documentation of the server.',
} as const;
export type Tag = keyof typeof TAG_DESCRIPTIONS;
export const TAGS = Object.keys(TAG_DESCRIPTIONS) as readonly Tag[];

/** A route without its specific types, as the server and the documentation use it. */
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

/** Creates a route from its definition and adds the defaults: no parameters, status 200, JSON. */
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
    // Safe, because the server calls a handler only with values that match these schemas.
    handle: definition.handle,
    ...(definition.stream ? { stream: definition.stream } : {}),
    ...(definition.upgrade ? { upgrade: definition.upgrade } : {}),
  };
}

/** Wraps data in the original API's envelope for data. */
export const dataOf = <T extends z.ZodType>(data: T) => z.strictObject({ success: z.literal(true), data });

/** Wraps a message in the original API's envelope for messages. */
export const messageOf = <M extends string>(message: M) =>
  z.strictObject({ success: z.literal(true), message: z.literal(message) });

/** Returns a response that contains data. */
export const ok = <T>(data: T) => ({ success: true as const, data });

/** Returns a response that contains a message. */
export const done = <M extends string>(message: M) => ({ success: true as const, message });

export const ERROR_CODES = Object.keys(ERROR_KINDS) as [ErrorCode, ...ErrorCode[]];

/** The error form of the original API. */
export const errorForm = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({
    code: z.enum(ERROR_CODES).describe('The error code, for programs.'),
    message: z.string().describe('What is wrong and what to do, for people.'),
    details: z
      .record(z.string(), z.unknown())
      .describe('Further details, which depend on the code: `issues`, `limit`, `value`, `requestId` …'),
  }),
});

/** Error codes that whole classes of routes share. */
export const COMMON_ERRORS: readonly CommonErrors[] = [
  {
    of: 'every route',
    concerns: () => true,
    codes: [
      'INVALID_INPUT', // every route rejects unknown parameters
      'UNAUTHORIZED',
      'HOST_NOT_ALLOWED',
      'ORIGIN_NOT_ALLOWED',
      'RATE_LIMITED',
      'FORBIDDEN',
      'INTERNAL_ERROR',
    ],
  },
  {
    of: 'every route without a stream',
    concerns: ({ stream, upgrade }) => stream === undefined && upgrade === undefined,
    codes: ['NOT_ACCEPTABLE'],
  },
  {
    of: 'every route with a body',
    concerns: ({ body }) => body !== undefined,
    codes: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    // By the time a request is repeated, what the first one created may no longer exist.
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
  /** Describes the class of routes, for the documentation. */
  readonly of: string;
  readonly concerns: (route: Route) => boolean;
  readonly codes: readonly ErrorCode[];
}

/** Returns every error code of a route: its own, and those of its classes. */
export function errorsOf(route: Route): ErrorCode[] {
  const common = COMMON_ERRORS.filter(({ concerns }) => concerns(route)).flatMap(({ codes }) => codes);
  return [...new Set<ErrorCode>([...(route.errors ?? []), ...common])];
}
