/** Defines the options that a starter passes to a host, and the options of a user of hosts. Reads no settings. */
import { z } from 'zod';
import type { EngineLog, EngineOptions } from '../contract/options.js';

/** A host exits after this long without a terminal and without a client. */
export const IDLE_EXIT_MS = 5 * 60_000;
/**
 * A host that uses more memory than this takes no more terminals, because starting a program takes longer in a larger
 * process.
 */
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

/** Passed as one JSON document on the host's stdin. */
export const hostOptions = z.object({
  slot: z.int().min(0),
  dataDir: z.string(),
  runtimeDir: z.string(),
  maxTerminals: z.int().min(1),
  idleExitMs: z.int().min(0),
  logLevel: z.enum(['error', 'warn', 'info', 'debug']),
  /** Engine options by name. */
  engine: z.record(z.string(), engineOption),
  /** Whether another host started it so that it takes over that host's terminals. */
  isSuccessor: z.boolean().default(false),
  /** Number of terminal descriptors that it inherited for this purpose. It closes all other inherited descriptors. */
  handedTerminals: z.int().min(0).optional(),
});
export type HostOptions = z.input<typeof hostOptions>;

/** What a host writes to stdout once it knows whether it is serving. It never writes anything else to stdout. */
export const hostOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('serving') }),
  z.object({ outcome: z.literal('taken') }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
]);
export type HostOutcome = z.infer<typeof hostOutcome>;

export interface RemoteOptions {
  /**
   * Directory for data on disk. Hosts belong to one user and one data directory. May be relative. Default: the one that
   * the server and the command line use by default.
   */
  readonly dataDir?: string;
  /** Directory for sockets. May be relative. Default: the one that the server and the command line use by default. */
  readonly runtimeDir?: string;
  /** Maximum number of running terminals in one host. Default: 50. */
  readonly maxHostTerminals?: number;
  /**
   * Engine limits. `maxTerminals` applies across all hosts. `maxExitedTerminals` and `maxWaitingReads` apply to each
   * host, with the values given by the process that started it. The options in `PER_TERMINAL_OPTIONS` apply to
   * terminals that this process creates.
   */
  readonly engine?: Partial<Omit<EngineOptions, 'log' | 'historyDir' | 'historyRoot' | 'shellDir'>>;
  /** Receives log messages. Default: none. */
  readonly log?: EngineLog;
  /** Log level of hosts that are started. Default: info. */
  readonly logLevel?: HostOptions['logLevel'];
  /** How long a host stays without terminals and clients before it exits. Default: five minutes. */
  readonly idleExitMs?: number;
  /** How often a host is pinged. Default: 1 s. */
  readonly pingEveryMs?: number;
  /** How long a host can be silent before it counts as unresponsive. Default: 5 s. */
  readonly unresponsiveAfterMs?: number;
  /** How long a host may take to start. Default: 10 s. */
  readonly startTimeoutMs?: number;
  /** Arguments for Node to run a host: options and a file. Default: `main` next to this file. */
  readonly hostProgram?: readonly string[];
}

/** Each option with a value of its type, to check the options that are given; undefined: checked elsewhere. */
export const REMOTE_OPTION_TYPES: { readonly [Name in keyof Required<RemoteOptions>]: unknown } = {
  ...{ dataDir: '', runtimeDir: '', maxHostTerminals: 0, engine: {}, log: () => {}, logLevel: '' },
  ...{ idleExitMs: 0, pingEveryMs: 0, unresponsiveAfterMs: 0, startTimeoutMs: 0, hostProgram: [] },
};
