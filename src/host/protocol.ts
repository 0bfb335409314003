/**
 * Defines the protocol between a host and its clients: frames, their kinds and payloads, versions and limits.
 *
 * A frame consists of a header of nine bytes (length of the rest: u32, kind: u8, id: u32; big endian) and its payload.
 * The client chooses the id for a request; it identifies everything that belongs to that request.
 */
import { z } from 'zod';
import { caller } from '../contract/caller.js';
import { shellSnapshot } from '../contract/command.js';
import { METHOD_NAMES } from '../contract/methods.js';
import type { PerTerminalOptions } from '../contract/options.js';
import { viewer } from '../contract/presence.js';
import { ERROR_KINDS } from '../errors.js';
import type { ErrorCode } from '../errors.js';

/** Supported protocol versions, preferred first. Any change to what either side expects needs a new version. */
export const PROTOCOLS: readonly number[] = [1];

/**
 * Some parts are the same in every version: the header, `hello`, `ping`, `pong`, `request`, `answer`, `failure`, and
 * the requests in {@link VERSION_INDEPENDENT_METHODS}. A host of any version can therefore be told to shut down or to
 * hand over its terminals.
 */
export const KIND = {
  /** JSON, the first frame in each direction: {@link clientHello}, {@link hostHello}. */
  hello: 1,
  /** JSON, {@link hostRequest}. */
  request: 2,
  /** JSON, the result of the request. */
  answer: 3,
  /** JSON, {@link hostFailure}. With id 0, it concerns the whole connection, which then ends. */
  failure: 4,
  /** JSON: an event of a stream other than output. */
  event: 5,
  /** Offset (f64), then the bytes as the program wrote them. */
  output: 6,
  /** Number of payload bytes (u32) of a stream that were consumed. */
  credit: 7,
  /** Tells a waiting read to stop waiting. */
  cancel: 8,
  unsubscribe: 9,
  ping: 10,
  pong: 11,
  /** A part of a payload that is too long for one frame. The last part has the message's own kind. */
  part: 12,
} as const;
export type FrameKind = (typeof KIND)[keyof typeof KIND];

export const HEADER_BYTES = 9;
/** Length of the offset before the bytes of an `output` frame. */
export const OFFSET_BYTES = 8;
export const MAX_FRAME_BYTES = 1 << 20;
/** Longer payloads are sent in parts. */
export const PART_BYTES = 512 << 10;
/** The longest input as JSON, with every character escaped. */
export const MAX_REQUEST_BYTES = 64 << 20;
/** The longest page as JSON, with every character escaped. */
export const MAX_ANSWER_BYTES = 448 << 20;
/** Maximum amount of payload that a host sends on one stream ahead of what the client has consumed. */
export const WINDOW_BYTES = 1 << 20;
/** A client reports consumed bytes in steps of this size. */
export const CREDIT_STEP_BYTES = WINDOW_BYTES / 8;
/** The window of one watch; smaller, because a client may have many watches that it is not reading. */
export const WATCH_WINDOW_BYTES = 2 * CREDIT_STEP_BYTES;

/** Requests that every version understands. */
export const VERSION_INDEPENDENT_METHODS: readonly string[] = ['shutdown', 'handOff'];

export const clientHello = z.object({
  protocols: z.array(z.int()).describe('Protocol versions that the client supports.'),
  version: z.string().describe('Version of the package.'),
});

export const hostLoad = z.object({
  active: z.int().describe('Number of running terminals.'),
  memoryBytes: z.int().describe('Memory of the process.'),
  hasRoom: z.boolean().describe('Whether another terminal can be created.'),
});
export type HostLoad = z.infer<typeof hostLoad>;

export const hostHello = z.object({
  protocol: z.int().nullable().describe('The chosen protocol version; null if there is none in common.'),
  protocols: z.array(z.int()),
  version: z.string(),
  pid: z.int(),
  slot: z.int(),
  load: hostLoad,
});
export type HostHello = z.infer<typeof hostHello>;

/** Values for one terminal that override the host's own options. Trusted, because only the same user can connect. */
const settings = z.custom<Partial<PerTerminalOptions>>((given) => typeof given === 'object' && given !== null);

const asker = z.object({ env: z.record(z.string(), z.string()), cwd: z.string(), settings: settings.optional() });

/** Requests that a host accepts in addition to the methods of a manager. */
const HOST_METHODS = ['load', 'leave', 'shutdown', 'handOff'] as const;

export const hostRequest = z.object({
  method: z.enum([...METHOD_NAMES, ...HOST_METHODS]),
  /** Id of the terminal, if the request concerns one. */
  id: z.string().optional(),
  /** Checked by the manager. */
  commandId: z.unknown().optional(),
  /** Checked by the manager. */
  argument: z.unknown().optional(),
  /** See `OnceOptions`. */
  key: z.string().max(64).optional(),
  /** See `WriteOptions`. */
  order: z.object({ writer: z.string().max(256), seq: z.number() }).optional(),
  /** See `HoldOptions`. */
  hold: z.string().max(64).optional(),
  /** See `SubscribeOptions`. */
  viewer: viewer.optional(),
  /** See `ExecOptions`. */
  place: shellSnapshot.optional(),
  /** See `ByOptions`. */
  by: caller.optional(),
  /** For `create`: the process that requests the terminal. */
  asker: asker.optional(),
});
export type HostRequest = z.infer<typeof hostRequest>;

/** The response to `subscribe`: the offset where the stream starts. */
export const subscribed = z.object({ offset: z.number() });
/** The response to `watch`: the cursor where the stream starts. */
export const watched = z.object({ cursor: z.string() });

/** Errors keep their code, message and details. */
export const hostFailure = z.object({
  code: z.string().transform((code): ErrorCode => (isErrorCode(code) ? code : 'INTERNAL_ERROR')),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).default({}),
});
export type HostFailure = z.input<typeof hostFailure>;

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_KINDS, code);
}

/** Returns the best version that both sides support, or null. */
export function chooseProtocol(theirs: readonly number[], ours: readonly number[] = PROTOCOLS): number | null {
  return ours.find((version) => theirs.includes(version)) ?? null;
}
