/** Makes the frozen `Options` out of checked settings. It reads no file and checks no value. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { TerminalError } from '../errors.js';
import { bufferBytesFor } from '../contract/options.js';
import type { EngineOptions, LogLevel } from '../contract/options.js';
import { defaultRuntimeDir } from './default-runtime-dir.js';
import { BARE_NAMES, SETTING_NAMES } from './settings.js';
import type { SettingName, SettingValues } from './settings.js';

/** What only clients say, of their own terminals. */
type ClientOptions = Pick<EngineOptions, 'connectionTimeoutMs' | 'connectionEnds'>;

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
  /** Whether requests that only read, and succeed, are logged as others are. */
  readonly logReads: boolean;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** The engine's limits; the log is added where the server is composed. */
  readonly engine: Omit<EngineOptions, 'log' | 'historyDir' | 'historyRoot' | 'shellDir' | keyof ClientOptions>;
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
  /** Whether settings without the prefix count: then they are ours, and a dev server must not take our PORT. */
  readonly takesBareNames: boolean;
}

export function buildOptions({ values, originOf, env, cwd, envFile, takesBareNames }: OptionParts): Options {
  const at = (path: string) => resolve(cwd, path.replace(/^~(?=\/|$)/, home));
  const { TENACITTY_TLS_CERT: cert, TENACITTY_TLS_KEY: key } = values;
  const dataDir = values.TENACITTY_DATA_DIR === undefined ? defaultDataDir(env) : at(values.TENACITTY_DATA_DIR);
  const runtimeDir =
    values.TENACITTY_RUNTIME_DIR === undefined ? defaultRuntimeDir(env, dataDir) : at(values.TENACITTY_RUNTIME_DIR);
  return deepFreeze({
    commandPolicyFile:
      values.TENACITTY_COMMAND_POLICY_FILE === undefined ? null : at(values.TENACITTY_COMMAND_POLICY_FILE),
    host: values.TENACITTY_HOST,
    port: values.TENACITTY_PORT,
    tls: cert && key ? { certFile: at(cert), keyFile: at(key) } : null,
    corsOrigins: values.TENACITTY_CORS_ORIGIN,
    allowedHosts: values.TENACITTY_ALLOWED_HOSTS,
    apiKeyHashes: values.TENACITTY_API_KEY_SHA256,
    trustLocal: values.TENACITTY_TRUST_LOCAL,
    maxBodyBytes: values.TENACITTY_MAX_BODY_BYTES,
    rateLimitPerMinute: values.TENACITTY_RATE_LIMIT,
    dataDir,
    persistent: values.TENACITTY_PERSISTENT,
    maxHostTerminals: values.TENACITTY_MAX_HOST_TERMINALS,
    runtimeDir,
    logLevel: values.TENACITTY_LOG_LEVEL,
    logFile: values.TENACITTY_LOG_FILE === undefined ? null : at(values.TENACITTY_LOG_FILE),
    logReads: values.TENACITTY_LOG_READS,
    trustedProxies: values.TENACITTY_TRUSTED_PROXIES,
    engine: {
      ...engineOptions(values, env),
      placeEnv: placeEnv(values, { dataDir, runtimeDir }),
      withheldEnv: takesBareNames ? [...BARE_NAMES] : [],
    },
    envFile,
    origins: Object.fromEntries(SETTING_NAMES.map((name) => [name, originOf(name)])) as Record<SettingName, string>,
  });
}

/** Where terminals are, for programs that call tenacitty; in the usual place nothing need be said. No secret goes this way. */
function placeEnv(values: SettingValues, { dataDir, runtimeDir }: Pick<Options, 'dataDir' | 'runtimeDir'>) {
  return {
    ...(values.TENACITTY_DATA_DIR === undefined ? {} : { TENACITTY_DATA_DIR: dataDir }),
    ...(values.TENACITTY_RUNTIME_DIR === undefined ? {} : { TENACITTY_RUNTIME_DIR: runtimeDir }),
  };
}

function engineOptions(
  values: SettingValues,
  env: OptionParts['env'],
): Omit<Options['engine'], 'placeEnv' | 'withheldEnv'> {
  return {
    maxTerminals: values.TENACITTY_MAX_TERMINALS,
    maxExitedTerminals: values.TENACITTY_MAX_EXITED_TERMINALS,
    maxInputBytes: values.TENACITTY_MAX_INPUT_BYTES,
    maxPendingInputBytes: values.TENACITTY_MAX_PENDING_INPUT_BYTES,
    maxBufferLines: values.TENACITTY_MAX_BUFFER_SIZE,
    maxBufferBytes: values.TENACITTY_MAX_BUFFER_BYTES ?? bufferBytesFor(values.TENACITTY_MAX_BUFFER_SIZE),
    maxEnvBytes: values.TENACITTY_MAX_ENV_BYTES,
    maxWaitingReads: values.TENACITTY_MAX_WAITING_READS,
    sessionTimeoutMs: values.TENACITTY_SESSION_TIMEOUT,
    runningTimeoutMs: values.TENACITTY_RUNNING_TIMEOUT,
    killGraceMs: values.TENACITTY_KILL_GRACE_MS,
    historyPlace: values.TENACITTY_HISTORY,
    maxDiskBytes: values.TENACITTY_MAX_DISK_BYTES,
    maxDiskBytesTotal: values.TENACITTY_MAX_DISK_BYTES_TOTAL,
    maxDiskAgeMs: values.TENACITTY_MAX_DISK_AGE,
    shellIntegration: values.TENACITTY_SHELL_INTEGRATION,
    defaultShell: values.TENACITTY_SHELL_PATH ?? env['SHELL'] ?? '',
  };
}

/** As the XDG base directory specification says; a relative XDG_DATA_HOME is to be ignored. */
function defaultDataDir(env: OptionParts['env']): string {
  const base = env['XDG_DATA_HOME'];
  return join(base?.startsWith('/') ? base : join(home(), '.local', 'share'), 'tenacitty');
}

/** The data directory of a shell that knows no setting; null for a user without a home. */
export function usualDataDir(): string | null {
  try {
    return defaultDataDir({});
  } catch {
    return null;
  }
}

/** Called only where it counts: it fails for a user without HOME and without an entry in the user database. */
function home(): string {
  try {
    return homedir();
  } catch (cause) {
    const message =
      'Your home directory is not known (no HOME, no entry in the user database): set TENACITTY_DATA_DIR.';
    throw new TerminalError('INVALID_INPUT', message, {}, { cause });
  }
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part as object);
  return Object.freeze(value);
}
