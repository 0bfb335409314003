/**
 * What a host is told by whoever starts it, and what a user of hosts may say. It reads no setting.
 */
import { z } from 'zod';
import type { EngineLog, EngineOptions } from '../contract/options.js';

/** Without a terminal and without a user for this long, a host ends. */
export const IDLE_EXIT_MS = 5 * 60_000;
/** A host above this takes no more terminals: starting a program takes longer the larger the process is. */
export const MAX_HOST_MEMORY_BYTES = 256 << 20;
export const MAX_HOST_TERMINALS = 50;

const engineOption = z.union([
  z.number(),
  z.string(),
  z.boolean(),
  z.array(z.string()),
  z.record(z.string(), z.string()),
  z.null(),
]);

/** One JSON document, on the host's stdin. */
export const hostOptions = z.object({
  slot: z.int().min(0),
  dataDir: z.string(),
  runtimeDir: z.string(),
  maxTerminals: z.int().min(1),
  idleExitMs: z.int().min(0),
  logLevel: z.enum(['error', 'warn', 'info', 'debug']),
  /** Options of the engine by name. */
  engine: z.record(z.string(), engineOption),
  /** Whether it was started by a host to take that one's terminals over. */
  isSuccessor: z.boolean().default(false),
  /** How many terminals' descriptors it was given for that; it keeps no other. */
  handedTerminals: z.int().min(0).optional(),
});
export type HostOptions = z.input<typeof hostOptions>;

/** What a host says on its stdout when it is known whether it serves; nothing else is ever written there. */
export const hostOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('serving') }),
  z.object({ outcome: z.literal('taken') }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
]);
export type HostOutcome = z.infer<typeof hostOutcome>;

export interface RemoteOptions {
  /** Directory for what is kept on disk; hosts are of one user and one such directory. May be relative. */
  readonly dataDir: string;
  /** Directory for sockets. May be relative. */
  readonly runtimeDir: string;
  /** Most running terminals in one host. Default: 50. */
  readonly maxHostTerminals?: number;
  /**
   * Limits. `maxTerminals` counts over all hosts; `maxExitedTerminals` and `maxWaitingReads` count
   * for each host, as whoever started it had them; those of `PER_TERMINAL_OPTIONS` for what is created here.
   */
  readonly engine?: Partial<Omit<EngineOptions, 'log' | 'historyDir' | 'historyRoot' | 'shellDir'>>;
  /** Where it says what happens. Default: nowhere. */
  readonly log?: EngineLog;
  /** How much hosts that are started log. Default: info. */
  readonly logLevel?: HostOptions['logLevel'];
  /** Default: five minutes. */
  readonly idleExitMs?: number;
  /** How often a host is asked whether it is well. Default: 1 s. */
  readonly pingEveryMs?: number;
  /** Silence that means it is not. Default: 5 s. */
  readonly unresponsiveAfterMs?: number;
  /** How long the start of a host may take. Default: 10 s. */
  readonly startTimeoutMs?: number;
  /** What Node is to run as a host: options and a file. Default: `main` beside this file. */
  readonly hostProgram?: readonly string[];
}
