/**
 * What the engine can be told: its limits by name, and where it says what happens. One literal of
 * defaults. It reads no environment; `config.ts` does that.
 */

import type { CreateTerminal } from './terminal.js';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Where the engine says what happens. Never given what was typed or printed. */
export type EngineLog = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void;

export interface EngineOptions {
  /** Most terminals whose program runs. */
  readonly maxTerminals: number;
  /** Most ended terminals kept readable; beyond it the one that ended first is forgotten. */
  readonly maxExitedTerminals: number;
  /** Most bytes in one input. */
  readonly maxInputBytes: number;
  /** Most bytes typed that a program has not taken yet. */
  readonly maxPendingInputBytes: number;
  /** Most lines of history held for one terminal. */
  readonly maxBufferLines: number;
  /** Most bytes of history held for one terminal. */
  readonly maxBufferBytes: number;
  /** Most bytes of environment variables for one terminal. */
  readonly maxEnvBytes: number;
  /**
   * Most requests of one caller that may be waiting at one time, for output or for anything else; the manager does not
   * know callers, and bears four times as many over all terminals.
   */
  readonly maxWaitingReads: number;
  /** A shell that sits at an empty prompt, unwatched and with nothing running, is ended when it was quiet for this long; 0 = never. */
  readonly sessionTimeoutMs: number;
  /** Any other program is ended when it was quiet and unwatched for this long; 0 = never. */
  readonly runningTimeoutMs: number;
  /** The client of a terminal has gone when it has asked nothing of it for so long, in milliseconds; 0 = it has none. */
  readonly connectionTimeoutMs: number;
  /** What ends then: a shell that is idle, or whatever there is. */
  readonly connectionEnds: 'idle' | 'all';
  /** How long processes may take to end before SIGKILL. */
  readonly killGraceMs: number;
  /** Where history is kept when its creator does not say. Without `historyDir` always in memory. */
  readonly historyPlace: 'disk' | 'memory';
  /** Directory for the history of this manager's terminals, and of no other's; null = memory only. */
  readonly historyDir: string | null;
  /** A directory above it that others share: what they have there counts for `maxDiskBytesTotal`. Or null. */
  readonly historyRoot: string | null;
  /** Most bytes of history on disk for one terminal. */
  readonly maxDiskBytes: number;
  /** Most bytes of history on disk, of all terminals together. */
  readonly maxDiskBytesTotal: number;
  /** How long the history of an ended terminal stays on disk; 0 = for ever. */
  readonly maxDiskAgeMs: number;
  /** Whether shells are followed when their creator does not say. */
  readonly shellIntegration: boolean;
  /** Directory for what the integration of shells needs while they run; null = the system's for temporary files. */
  readonly shellDir: string | null;
  /** Shell to start when none is asked for; empty = the login shell. */
  readonly defaultShell: string;
  /** Names of environment variables that no program in a terminal is given. */
  readonly withheldEnv: readonly string[];
  /** Environment variables that tell every program where its terminal is held. */
  readonly placeEnv: Readonly<Record<string, string>>;
  readonly log: EngineLog;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_BUFFER_LINES = 10_000;
/** Twice the length of a long log line; with fewer lines a floor keeps a few screens of anything. */
const BUFFER_BYTES_PER_LINE = 400;
const MIN_BUFFER_BYTES = 1 << 20;

/** The byte limit that goes with a line limit when none is set. */
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

/** What may be set for one terminal, by whoever creates it, where a manager serves many. */
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

/** What a request says of the terminal's own settings. */
export function ownSettings({ history, sessionTimeoutMs, connection }: CreateTerminal): Partial<PerTerminalOptions> {
  return {
    ...(history === undefined ? {} : { historyPlace: history }),
    ...(sessionTimeoutMs === undefined ? {} : { sessionTimeoutMs }),
    ...(connection && { connectionTimeoutMs: connection.timeoutMs, connectionEnds: connection.ends ?? 'idle' }),
  };
}
