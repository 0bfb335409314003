/** Makes the frozen `Options` out of checked settings. It reads no file and checks no value. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { TerminalError } from '../errors.js';
import { bufferBytesFor } from '../terminal/options.js';
import type { EngineOptions, LogLevel } from '../terminal/options.js';
import { PLACE_VARIABLES, SETTING_NAMES } from './settings.js';
import type { SettingName, SettingValues } from './settings.js';

/** Everything that can be set, resolved and frozen. */
export interface Options {
  /** File that says what programs may run, or null. */
  readonly commandPolicyFile: string | null;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on; 0 = any free one. */
  readonly port: number;
  /** Certificate and key files for HTTPS, or null for HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Origins whose pages may call, or all of them. */
  readonly corsOrigins: '*' | readonly string[];
  /** Names beside the loopback ones that a Host header may carry, lower case, each with an optional port. */
  readonly allowedHosts: readonly string[];
  /** SHA-256 hashes of API keys given as a setting, hex. */
  readonly apiKeyHashes: readonly string[];
  /** Whether processes of this user on this machine need no API key. */
  readonly trustLocal: boolean;
  /** Largest request body. */
  readonly maxBodyBytes: number;
  /** Most requests a minute by one caller; 0 = no limit. */
  readonly rateLimitPerMinute: number;
  /** Directory for what is kept on disk. */
  readonly dataDir: string;
  /** Whether terminals are held by processes of their own, which outlive this one. */
  readonly persistent: boolean;
  /** Most running terminals one such process holds. */
  readonly maxHostTerminals: number;
  /** Directory for their sockets. */
  readonly runtimeDir: string;
  /** How much is logged. */
  readonly logLevel: LogLevel;
  /** File the log is appended to, or null for stderr. */
  readonly logFile: string | null;
  /** The engine's limits; the log is added where the server is composed. */
  readonly engine: Omit<EngineOptions, 'log' | 'historyDir' | 'historyRoot' | 'shellDir'>;
  /** The settings file that was read, or null. */
  readonly envFile: string | null;
  /** Where each setting came from: `flag …`, `environment`, `file path:line` or `default`. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

interface OptionParts {
  readonly values: SettingValues;
  readonly originOf: (name: SettingName) => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly envFile: string | null;
}

export function buildOptions({ values, originOf, env, cwd, envFile }: OptionParts): Options {
  const at = (path: string) => resolve(cwd, path.replace(/^~(?=\/|$)/, home));
  const { TLS_CERT: cert, TLS_KEY: key } = values;
  const dataDir = values.DATA_DIR === undefined ? defaultDataDir(env) : at(values.DATA_DIR);
  const runtimeDir = values.RUNTIME_DIR === undefined ? defaultRuntimeDir(env) : at(values.RUNTIME_DIR);
  return deepFreeze({
    commandPolicyFile: values.COMMAND_POLICY_FILE === undefined ? null : at(values.COMMAND_POLICY_FILE),
    host: values.HOST,
    port: values.PORT,
    tls: cert && key ? { certFile: at(cert), keyFile: at(key) } : null,
    corsOrigins: values.CORS_ORIGIN,
    allowedHosts: values.ALLOWED_HOSTS,
    apiKeyHashes: values.API_KEY_SHA256,
    trustLocal: values.TRUST_LOCAL,
    maxBodyBytes: values.MAX_BODY_BYTES,
    rateLimitPerMinute: values.RATE_LIMIT,
    dataDir,
    persistent: values.PERSISTENT,
    maxHostTerminals: values.MAX_HOST_TERMINALS,
    runtimeDir,
    logLevel: values.LOG_LEVEL,
    logFile: values.LOG_FILE === undefined ? null : at(values.LOG_FILE),
    engine: { ...engineOptions(values, env), placeEnv: placeEnv(values, { dataDir, runtimeDir }) },
    envFile,
    origins: Object.fromEntries(SETTING_NAMES.map((name) => [name, originOf(name)])) as Record<SettingName, string>,
  });
}

/** For a terminal in the usual place nothing need be said. */
function placeEnv(values: SettingValues, { dataDir, runtimeDir }: Pick<Options, 'dataDir' | 'runtimeDir'>) {
  return {
    ...(values.DATA_DIR === undefined ? {} : { [PLACE_VARIABLES.DATA_DIR]: dataDir }),
    ...(values.RUNTIME_DIR === undefined ? {} : { [PLACE_VARIABLES.RUNTIME_DIR]: runtimeDir }),
  };
}

function engineOptions(values: SettingValues, env: OptionParts['env']): Omit<Options['engine'], 'placeEnv'> {
  return {
    maxTerminals: values.MAX_TERMINALS,
    maxExitedTerminals: values.MAX_EXITED_TERMINALS,
    maxInputBytes: values.MAX_INPUT_BYTES,
    maxPendingInputBytes: values.MAX_PENDING_INPUT_BYTES,
    maxBufferLines: values.MAX_BUFFER_SIZE,
    maxBufferBytes: values.MAX_BUFFER_BYTES ?? bufferBytesFor(values.MAX_BUFFER_SIZE),
    maxEnvBytes: values.MAX_ENV_BYTES,
    maxWaitingReads: values.MAX_WAITING_READS,
    sessionTimeoutMs: values.SESSION_TIMEOUT,
    killGraceMs: values.KILL_GRACE_MS,
    historyPlace: values.HISTORY,
    maxDiskBytes: values.MAX_DISK_BYTES,
    maxDiskBytesTotal: values.MAX_DISK_BYTES_TOTAL,
    maxDiskAgeMs: values.MAX_DISK_AGE,
    shellIntegration: values.SHELL_INTEGRATION,
    defaultShell: values.SHELL_PATH ?? env['SHELL'] ?? '',
    // A program in a terminal is not configured by our settings: a dev server would take our PORT.
    withheldEnv: SETTING_NAMES,
  };
}

/** As the XDG base directory specification says; a relative XDG_DATA_HOME is to be ignored. */
function defaultDataDir(env: OptionParts['env']): string {
  const base = env['XDG_DATA_HOME'];
  return join(base?.startsWith('/') ? base : join(home(), '.local', 'share'), 'tenacitty');
}

/** Where the system has no directory for this (no login session), one in /tmp that is checked before it is used. */
function defaultRuntimeDir(env: OptionParts['env']): string {
  const base = env['XDG_RUNTIME_DIR'];
  return base?.startsWith('/') ? join(base, 'tenacitty') : `/tmp/tenacitty-${process.getuid?.() ?? 0}`;
}

/** Called only where it counts: it fails for a user without HOME and without an entry in the user database. */
function home(): string {
  try {
    return homedir();
  } catch (cause) {
    const message = 'Your home directory is not known (no HOME, no entry in the user database): set DATA_DIR.';
    throw new TerminalError('INVALID_INPUT', message, {}, { cause });
  }
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part as object);
  return Object.freeze(value);
}
