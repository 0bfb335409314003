/**
 * The wire between a host and those who use it: frames, their kinds, what stands in them, versions and limits. It
 * knows no socket and no terminal.
 *
 * A frame is a header of nine bytes (length of what follows it: u32, kind: u8, id: u32; big endian) and its payload.
 * The id is chosen by the client, for a request, and names everything that belongs to it from then on.
 */
import { z } from 'zod';
import { shellPlace } from '../contract/command.js';
import { METHOD_NAMES } from '../contract/methods.js';
import { ERROR_KINDS } from '../errors.js';
import type { ErrorCode } from '../errors.js';

/** Versions of the protocol that this code speaks, the preferred one first. A change to what either side expects is a new one. */
export const PROTOCOLS: readonly number[] = [1];

/**
 * Never changed, whatever the version: the header, `hello`, `ping`, `pong`, `request`, `answer` and `failure`, and the
 * requests named in {@link TIMELESS_METHODS}: a host of any version can be asked to end or to hand its terminals on.
 */
export const KIND = {
  /** JSON, first frame each way: {@link clientHello}, {@link hostHello}. */
  hello: 1,
  /** JSON, {@link hostRequest}. */
  request: 2,
  /** JSON, what was asked for. */
  answer: 3,
  /** JSON, {@link hostFailure}. With id 0: of the whole connection, which ends. */
  failure: 4,
  /** JSON: an event of a subscription that is no output. */
  event: 5,
  /** Offset (f64), then the bytes as the program wrote them. */
  output: 6,
  /** Bytes of payload (u32) of a subscription that were taken. */
  credit: 7,
  /** A read is to wait no longer. */
  cancel: 8,
  unsubscribe: 9,
  ping: 10,
  pong: 11,
  /** A piece of a payload that is too long for one frame; the last piece comes as the kind it is. */
  part: 12,
} as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

export const HEADER_BYTES = 9;
/** Before the bytes of an `output` frame. */
export const OFFSET_BYTES = 8;
export const MAX_FRAME_BYTES = 1 << 20;
/** Longer payloads are sent in parts. */
export const PART_BYTES = 512 << 10;
/** The longest input in JSON, with every character escaped. */
export const MAX_REQUEST_BYTES = 64 << 20;
/** The longest page in JSON, with every character escaped. */
export const MAX_ANSWER_BYTES = 448 << 20;
/** Payload a host sends for one subscription beyond what was taken. */
export const WINDOW_BYTES = 1 << 20;
/** A client tells what it has taken in steps of this many bytes. */
export const CREDIT_STEP_BYTES = WINDOW_BYTES / 8;

/** Requests that every version understands. */
export const TIMELESS_METHODS: readonly string[] = ['shutdown', 'handOff'];

export const clientHello = z.object({
  protocols: z.array(z.int()).describe('Versions the client speaks.'),
  version: z.string().describe('Of the package.'),
});
export type ClientHello = z.infer<typeof clientHello>;

export const hostLoad = z.object({
  active: z.int().describe('Terminals whose program runs.'),
  memoryBytes: z.int().describe('Of the process.'),
  hasRoom: z.boolean().describe('Whether another terminal can be created.'),
});
export type HostLoad = z.infer<typeof hostLoad>;

export const hostHello = z.object({
  protocol: z.int().nullable().describe('The version chosen; null: there is none in common.'),
  protocols: z.array(z.int()),
  version: z.string(),
  pid: z.int(),
  slot: z.int(),
  load: hostLoad,
});
export type HostHello = z.infer<typeof hostHello>;

/** What counts for one terminal instead of the host's own options; see `PER_TERMINAL_OPTIONS`. */
const settings = z.object({
  maxInputBytes: z.int().min(0).optional(),
  maxPendingInputBytes: z.int().min(0).optional(),
  maxBufferLines: z.int().min(1).optional(),
  maxBufferBytes: z.int().min(1).optional(),
  maxEnvBytes: z.int().min(0).optional(),
  sessionTimeoutMs: z.int().min(0).optional(),
  runningTimeoutMs: z.int().min(0).optional(),
  historyPlace: z.enum(['disk', 'memory']).optional(),
  maxDiskBytes: z.int().min(0).optional(),
  shellIntegration: z.boolean().optional(),
  defaultShell: z.string().optional(),
  withheldEnv: z.array(z.string()).readonly().optional(),
  placeEnv: z.record(z.string(), z.string()).readonly().optional(),
});

const asker = z.object({ env: z.record(z.string(), z.string()), cwd: z.string(), settings: settings.optional() });

/** What a host is asked beside what a manager is. */
const HOST_METHODS = ['load', 'leave', 'shutdown', 'handOff'] as const;

export const hostRequest = z.object({
  method: z.enum([...METHOD_NAMES, ...HOST_METHODS]),
  /** Of the terminal, where the request is about one. */
  id: z.string().optional(),
  /** The manager checks it. */
  commandId: z.unknown().optional(),
  /** The manager checks it. */
  argument: z.unknown().optional(),
  /** See `OnceOptions`. */
  key: z.string().max(64).optional(),
  /** See `ExecOptions`. */
  place: shellPlace.optional(),
  /** With `create`: on whose behalf. */
  asker: asker.optional(),
});
export type HostRequest = z.infer<typeof hostRequest>;

/** The answer to `subscribe`: where the stream begins. */
export const subscribed = z.object({ offset: z.number() });

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

/** The best version both sides speak, or null. */
export function chooseProtocol(theirs: readonly number[], ours: readonly number[] = PROTOCOLS): number | null {
  return ours.find((version) => theirs.includes(version)) ?? null;
}
