/**
 * Builds the frozen `Options` from checked settings. Reads no files and checks no values, but looks up who owns the
 * default runtime directory.
 */
import { resolve } from 'node:path';
import { bufferBytesFor } from '../contract/options.js';
import type { EngineOptions, LogLevel } from '../contract/options.js';
import { defaultDataDir, defaultRuntimeDir, home } from '../data-directory.js';
import { BARE_NAMES, SETTING_NAMES } from './settings.js';
import type { SettingName, SettingValues } from './settings.js';

/** Options that have no setting. Clients set the first two for their own terminals. */
type UnsetOptions = Pick<EngineOptions, 'connectionTimeoutMs' | 'connectionEnds' | 'maxHolderSilenceMs'>;

/** All settings, resolved and frozen. */
export interface Options {
  /** File that defines which programs may run, or null. */
  readonly commandPolicyFile: string | null;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on; 0 = any free port. */
  readonly port: number;
  /** Certificate and key files for HTTPS, or null for HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Origins whose pages may call the server, or all origins. */
  readonly corsOrigins: '*' | readonly string[];
  /**
   * Names that the Host header may contain in addition to loopback names, in lower case, each with an optional port.
   */
  readonly allowedHosts: readonly string[];
  /** SHA-256 hashes of the API keys given as a setting, in hexadecimal. */
  readonly apiKeyHashes: readonly string[];
  /** Whether processes that this user runs on this machine need no API key. */
  readonly trustLocal: boolean;
  /** Maximum size of a request body. */
  readonly maxBodyBytes: number;
  /** Maximum number of requests per minute for one caller; 0 means no limit. */
  readonly rateLimitPerMinute: number;
  /** Directory for data on disk. */
  readonly dataDir: string;
  /** Whether separate host processes, which outlive this one, hold the terminals. */
  readonly persistent: boolean;
  /** Maximum number of running terminals per host. */
  readonly maxHostTerminals: number;
  /** Directory for the hosts' sockets. */
  readonly runtimeDir: string;
  /** The keys that detach a person's own terminal, such as `ctrl-\` or `ctrl-p,ctrl-q`; `none`: no key. */
  readonly detachKey: string;
  readonly logLevel: LogLevel;
  /** File that the log is appended to, or null for stderr. */
  readonly logFile: string | null;
  /** Whether successful read-only requests are logged like other requests. */
  readonly logReads: boolean;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** The engine's options, except those that are added where the server is assembled, such as the log. */
  readonly engine: Omit<EngineOptions, 'log' | 'historyDir' | 'historyRoot' | 'shellDir' | keyof UnsetOptions>;
  /** The settings file that was read, or null. */
  readonly envFile: string | null;
  /** Origin of each setting: `flag …`, `environment`, `file path:line` or `default`. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

interface OptionParts {
  readonly values: SettingValues;
  readonly originOf: (name: SettingName) => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly envFile: string | null;
  /**
   * Whether names without the prefix are accepted as settings. If so, they belong to this server and are withheld from
   * terminals: a development server in a terminal, for example, must not use this server's PORT.
   */
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
    detachKey: values.TENACITTY_DETACH_KEY,
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

/**
 * Returns environment variables that tell tenacitty, when programs call it, where the terminals are. Returns none for
 * default locations. They contain no secrets.
 */
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

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part as object);
  return Object.freeze(value);
}
