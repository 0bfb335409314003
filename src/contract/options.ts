/**
 * Defines the options of the engine: its limits, its logger, and their defaults. Reads no environment; `config.ts` does
 * that.
 */

import type { CreateTerminal } from './terminal.js';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Receives the engine's log messages. They never contain input or output. */
export type EngineLog = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

export interface EngineOptions {
  /** Maximum number of running terminals. */
  readonly maxTerminals: number;
  /** Maximum number of ended terminals kept readable. Beyond that number, the terminal that ended first is deleted. */
  readonly maxExitedTerminals: number;
  /** Maximum bytes in one input. */
  readonly maxInputBytes: number;
  /** Maximum bytes of queued input that a program has not read yet. */
  readonly maxPendingInputBytes: number;
  /** Maximum lines of history held for one terminal. */
  readonly maxBufferLines: number;
  /** Maximum bytes of history held for one terminal. */
  readonly maxBufferBytes: number;
  /** Maximum bytes of environment variables for one terminal. */
  readonly maxEnvBytes: number;
  /**
   * Maximum number of requests per caller that may be waiting for output or any other condition. The manager cannot
   * tell callers apart, so it allows four times as many across all terminals.
   */
  readonly maxWaitingReads: number;
  /**
   * How long a shell may sit idle at an empty prompt, without a subscriber or a waiting request, before the manager
   * ends it. 0 = never.
   */
  readonly sessionTimeoutMs: number;
  /**
   * How long a terminal, unless it is an idle shell, may be without input, output, a subscriber or a waiting request
   * before the manager ends it. 0 = never.
   */
  readonly runningTimeoutMs: number;
  /**
   * How long a terminal may be without a request, in milliseconds, before its client counts as disconnected. 0 = it has
   * no client.
   */
  readonly connectionTimeoutMs: number;
  /** What to end after the client has disconnected: only an idle shell, or any program. */
  readonly connectionEnds: 'idle' | 'all';
  /** How long a program waits for its holder's client to draw output while that client is silent. */
  readonly maxHolderSilenceMs: number;
  /** How long processes may take to exit before SIGKILL. */
  readonly killGraceMs: number;
  /** Where history is kept if the creator does not specify it. Without `historyDir`, always in memory. */
  readonly historyPlace: 'disk' | 'memory';
  /** Directory for the history of this manager's terminals; it must not be shared. null = memory only. */
  readonly historyDir: string | null;
  /** A parent directory that is shared with other managers, or null. Their files count towards `maxDiskBytesTotal`. */
  readonly historyRoot: string | null;
  /** Maximum bytes of history on disk for one terminal. */
  readonly maxDiskBytes: number;
  /** Maximum bytes of history on disk across all terminals. */
  readonly maxDiskBytesTotal: number;
  /** How long the history of an ended terminal stays on disk. 0 = for ever. */
  readonly maxDiskAgeMs: number;
  /** Whether shell integration is on if the creator does not specify it. */
  readonly shellIntegration: boolean;
  /** Directory for the files that shell integration needs while shells run. null = the system's temporary directory. */
  readonly shellDir: string | null;
  /** Shell to start by default. Empty = the login shell. */
  readonly defaultShell: string;
  /** Names of environment variables that are withheld from programs in terminals. */
  readonly withheldEnv: readonly string[];
  /** Environment variables that tell programs in terminals where their terminal is held. */
  readonly placeEnv: Readonly<Record<string, string>>;
  readonly log: EngineLog;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_BUFFER_LINES = 10_000;
/** Twice the length of a long log line. If there are few lines, a minimum still keeps several screens of any output. */
const BUFFER_BYTES_PER_LINE = 400;
const MIN_BUFFER_BYTES = 1 << 20;

/** Returns the byte limit to use with a line limit if none is set. */
export function bufferBytesFor(maxBufferLines: number): number {
  return Math.max(MIN_BUFFER_BYTES, maxBufferLines * BUFFER_BYTES_PER_LINE);
}

export const DEFAULT_ENGINE_OPTIONS: EngineOptions = {
  maxTerminals: 512,
  maxExitedTerminals: 256,
  maxInputBytes: 4 << 20,
  maxPendingInputBytes: 16 << 20,
  maxBufferLines: DEFAULT_BUFFER_LINES,
  maxBufferBytes: bufferBytesFor(DEFAULT_BUFFER_LINES),
  maxEnvBytes: 256 << 10,
  maxWaitingReads: 256,
  sessionTimeoutMs: DAY_MS,
  runningTimeoutMs: 0,
  connectionTimeoutMs: 0,
  connectionEnds: 'idle',
  maxHolderSilenceMs: 10_000,
  killGraceMs: 2000,
  historyPlace: 'disk',
  historyDir: null,
  historyRoot: null,
  maxDiskBytes: 256 << 20,
  maxDiskBytesTotal: 4 * 1024 ** 3,
  maxDiskAgeMs: 30 * DAY_MS,
  shellIntegration: true,
  shellDir: null,
  defaultShell: '',
  withheldEnv: [],
  placeEnv: {},
  log: () => {},
};

/** Options that the creator of a terminal may set for that terminal, if the manager serves several clients. */
export const PER_TERMINAL_OPTIONS = [
  'maxInputBytes',
  'maxPendingInputBytes',
  'maxBufferLines',
  'maxBufferBytes',
  'maxEnvBytes',
  'sessionTimeoutMs',
  'runningTimeoutMs',
  'connectionTimeoutMs',
  'connectionEnds',
  'historyPlace',
  'maxDiskBytes',
  'shellIntegration',
  'defaultShell',
  'withheldEnv',
  'placeEnv',
] as const satisfies readonly (keyof EngineOptions)[];
export type PerTerminalOptions = Pick<EngineOptions, (typeof PER_TERMINAL_OPTIONS)[number]>;

export function perTerminal(options: EngineOptions): PerTerminalOptions {
  return Object.fromEntries(PER_TERMINAL_OPTIONS.map((name) => [name, options[name]])) as unknown as PerTerminalOptions;
}

/** Returns the options that a create request sets for its own terminal. */
export function ownSettings({ history, sessionTimeoutMs, connection }: CreateTerminal): Partial<PerTerminalOptions> {
  return {
    ...(history === undefined ? {} : { historyPlace: history }),
    ...(sessionTimeoutMs === undefined ? {} : { sessionTimeoutMs }),
    ...(connection && { connectionTimeoutMs: connection.timeoutMs, connectionEnds: connection.ends ?? 'idle' }),
  };
}
