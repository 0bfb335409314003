/**
 * What a route is: method, path, schemas, words for the documentation, and the handler, bound in one
 * value. Validation, OpenAPI and every page of documentation are made from it. It knows neither
 * Express nor the engine's body.
 */
import { z } from 'zod';
import { ERROR_KINDS, type ErrorCode } from '../errors.js';
import { JSON_TYPE } from './body.js';
import type { ServerEvent } from './event-stream.js';
import type { Service } from './service.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type Fields = z.ZodObject;

/** An answer that is no text, with its media type: as one of the route's own `bytes`. */
export class BytesAnswer {
  constructor(
    readonly mediaType: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** What a handler is given: everything checked and typed. */
export interface Call<P extends Fields, Q extends Fields, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  /** Aborted when the caller has gone away or the server is stopping. */
  readonly signal: AbortSignal;
  readonly service: Service;
  /** What the caller of a stream says to have had last, when it comes again. */
  readonly lastEventId: string | undefined;
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void;
  /** Tells that the answer may be so long in coming: the connection is kept open for it. */
  readonly expectWait: (ms: number) => void;
}

/** The same answer as events, for callers who ask for a stream. */
export interface EventStream<P extends Fields, Q extends Fields, B extends z.ZodType> {
  /** Names of the events with what each means and its data. */
  readonly events: Readonly<Record<string, EventKind>>;
  readonly open: (call: Call<P, Q, B>) => AsyncIterable<ServerEvent>;
}

export interface EventKind {
  readonly meaning: string;
  readonly data: z.ZodType;
  /** For pages. */
  readonly example: unknown;
}

/** One worked example for the documentation; the tests run it. */
export interface Example {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** An answer as it would come back; shortened text for pages. */
  readonly answer: unknown;
}

export interface RouteDefinition<P extends Fields, Q extends Fields, B extends z.ZodType, A extends z.ZodType> {
  readonly method: Method;
  /** The path with its parameters as Express writes them: `/api/terminals/:terminalId`. */
  readonly path: string;
  /** Unique name, for `operationId`. */
  readonly name: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly params?: P;
  readonly query?: Q;
  /** Whether it takes an `Idempotency-Key`. */
  readonly takesKey?: boolean;
  /** Absent: the route takes no body. A missing body is read as `{}`. */
  readonly body?: B;
  readonly status?: number;
  readonly mediaType?: string;
  /** Whether it may be read without a key on the server's own machine, from a browser too: it holds no data. */
  readonly isPublic?: boolean;
  /** Media type of the answer where the handler gives a `BytesAnswer`; absent: it never does. */
  readonly bytes?: string;
  /** The whole answer, envelope included; text for anything but JSON. */
  readonly answer: A;
  /** Codes this route can answer with, beside those `errorsOf` derives. */
  readonly errors?: readonly ErrorCode[];
  readonly example: Example;
  readonly handle: (call: Call<P, Q, B>) => Promise<z.input<A> | BytesAnswer> | z.input<A>;
  /** Absent: the route has no stream. */
  readonly stream?: EventStream<P, Q, B>;
}

export type Tag = 'Terminals' | 'Commands' | 'Output' | 'Service';
export const TAGS: readonly Tag[] = ['Terminals', 'Commands', 'Output', 'Service'];

/** A route as the server and the documentation see it, its own types forgotten. */
export interface Route extends Omit<
  RouteDefinition<Fields, Fields, z.ZodType, z.ZodType>,
  'handle' | 'params' | 'query' | 'stream'
> {
  readonly params: Fields;
  readonly query: Fields;
  readonly status: number;
  readonly mediaType: string;
  readonly handle: (call: Call<Fields, Fields, z.ZodType>) => unknown;
  readonly stream?: EventStream<Fields, Fields, z.ZodType>;
}

const nothing = z.strictObject({});
type Nothing = typeof nothing;

/** Makes a route of its definition, with defaults filled in: no parameters, 200, JSON. */
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
    // The server calls a handler only with what these very schemas have let through.
    handle: definition.handle,
    ...(definition.stream ? { stream: definition.stream } : {}),
  };
}

/** The seed's envelope around data. */
export const dataOf = <T extends z.ZodType>(data: T) => z.strictObject({ success: z.literal(true), data });

/** The seed's envelope around a sentence. */
export const messageOf = <M extends string>(message: M) =>
  z.strictObject({ success: z.literal(true), message: z.literal(message) });

/** An answer in the first envelope. */
export const ok = <T>(data: T) => ({ success: true as const, data });

/** An answer in the second. */
export const done = <M extends string>(message: M) => ({ success: true as const, message });

export const ERROR_CODES = Object.keys(ERROR_KINDS) as [ErrorCode, ...ErrorCode[]];

/** The seed's form of every error. */
export const errorForm = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({
    code: z.enum(ERROR_CODES).describe('What went wrong, for programs.'),
    message: z.string().describe('What went wrong and what to do, for people.'),
    details: z.record(z.string(), z.unknown()).describe('More, by code: `issues`, `limit`, `value`, `requestId` …'),
  }),
});

/** Codes that whole classes of routes may answer with, beside their own. */
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
      'INTERNAL_ERROR',
    ],
  },
  {
    of: 'every route with a body',
    concerns: ({ body }) => body !== undefined,
    codes: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    // What the first request made may be gone when it is repeated.
    of: 'every route that takes an `Idempotency-Key`',
    concerns: ({ takesKey }) => takesKey === true,
    codes: ['KEY_REUSED', 'TERMINAL_NOT_FOUND', 'LIMIT_REACHED', 'SHUTTING_DOWN'],
  },
  {
    of: 'every route but those of the service',
    concerns: ({ tag }) => tag !== 'Service',
    codes: ['HOST_UNRESPONSIVE', 'HOST_LOST', 'HOST_FAILED'],
  },
];

export interface CommonErrors {
  /** Which routes, for the documentation. */
  readonly of: string;
  readonly concerns: (route: Route) => boolean;
  readonly codes: readonly ErrorCode[];
}

/** Every code a route can answer with: its own and those of the classes it is in. */
export function errorsOf(route: Route): ErrorCode[] {
  const common = COMMON_ERRORS.filter(({ concerns }) => concerns(route)).flatMap(({ codes }) => codes);
  return [...new Set<ErrorCode>([...(route.errors ?? []), ...common])];
}
