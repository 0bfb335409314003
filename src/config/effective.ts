/** Lists every setting with its effective value, as it would be written, and its origin. Pure; contains no secrets. */
import { formatDuration } from '../duration.js';
import type { Options } from './options.js';
import { flagOf, SETTING_NAMES } from './settings.js';
import type { SettingName } from './settings.js';
import { formatSize } from './size.js';

export interface EffectiveSetting {
  readonly name: SettingName;
  /** The equivalent flag. */
  readonly flag: string;
  /** Null if the setting has no value. For API key hashes, only their number. */
  readonly value: string | null;
  /** `flag …`, `environment`, `environment, as …`, `file path:line` or `default`. */
  readonly from: string;
}

export function effectiveSettings(options: Options): EffectiveSetting[] {
  return SETTING_NAMES.map((name) => ({
    name,
    flag: flagOf(name),
    value: VALUES[name](options) || null,
    from: options.origins[name],
  }));
}

const VALUES: Readonly<Record<SettingName, (options: Options) => string | null>> = {
  TENACITTY_PORT: ({ port }) => String(port),
  TENACITTY_HOST: ({ host }) => host,
  TENACITTY_MAX_BUFFER_SIZE: ({ engine }) => String(engine.maxBufferLines),
  TENACITTY_MAX_BUFFER_BYTES: ({ engine }) => formatSize(engine.maxBufferBytes),
  TENACITTY_SESSION_TIMEOUT: ({ engine }) => formatDuration(engine.sessionTimeoutMs),
  TENACITTY_RUNNING_TIMEOUT: ({ engine }) => formatDuration(engine.runningTimeoutMs),
  TENACITTY_MAX_TERMINALS: ({ engine }) => String(engine.maxTerminals),
  TENACITTY_MAX_EXITED_TERMINALS: ({ engine }) => String(engine.maxExitedTerminals),
  TENACITTY_MAX_INPUT_BYTES: ({ engine }) => formatSize(engine.maxInputBytes),
  TENACITTY_MAX_PENDING_INPUT_BYTES: ({ engine }) => formatSize(engine.maxPendingInputBytes),
  TENACITTY_MAX_ENV_BYTES: ({ engine }) => formatSize(engine.maxEnvBytes),
  TENACITTY_MAX_WAITING_READS: ({ engine }) => String(engine.maxWaitingReads),
  TENACITTY_KILL_GRACE_MS: ({ engine }) => formatDuration(engine.killGraceMs),
  TENACITTY_SHELL_PATH: ({ engine }) => engine.defaultShell,
  TENACITTY_SHELL_INTEGRATION: ({ engine }) => String(engine.shellIntegration),
  TENACITTY_DATA_DIR: ({ dataDir }) => dataDir,
  TENACITTY_HISTORY: ({ engine }) => engine.historyPlace,
  TENACITTY_MAX_DISK_BYTES: ({ engine }) => formatSize(engine.maxDiskBytes),
  TENACITTY_MAX_DISK_BYTES_TOTAL: ({ engine }) => formatSize(engine.maxDiskBytesTotal),
  TENACITTY_MAX_DISK_AGE: ({ engine }) => formatDuration(engine.maxDiskAgeMs),
  TENACITTY_PERSISTENT: ({ persistent }) => String(persistent),
  TENACITTY_MAX_HOST_TERMINALS: ({ maxHostTerminals }) => String(maxHostTerminals),
  TENACITTY_RUNTIME_DIR: ({ runtimeDir }) => runtimeDir,
  TENACITTY_DETACH_KEY: ({ detachKey }) => detachKey,
  TENACITTY_LOG_LEVEL: ({ logLevel }) => logLevel,
  TENACITTY_LOG_FILE: ({ logFile }) => logFile,
  TENACITTY_LOG_READS: ({ logReads }) => String(logReads),
  TENACITTY_TRUSTED_PROXIES: ({ trustedProxies }) => trustedProxies.join(','),
  TENACITTY_COMMAND_POLICY_FILE: ({ commandPolicyFile }) => commandPolicyFile,
  TENACITTY_CORS_ORIGIN: ({ corsOrigins }) => (corsOrigins === '*' ? '*' : corsOrigins.join(',')),
  TENACITTY_ALLOWED_HOSTS: ({ allowedHosts }) => allowedHosts.join(','),
  TENACITTY_API_KEY_SHA256: ({ apiKeyHashes }) => countOfHashes(apiKeyHashes.length),
  TENACITTY_TRUST_LOCAL: ({ trustLocal }) => String(trustLocal),
  TENACITTY_MAX_BODY_BYTES: ({ maxBodyBytes }) => formatSize(maxBodyBytes),
  TENACITTY_RATE_LIMIT: ({ rateLimitPerMinute }) => String(rateLimitPerMinute),
  TENACITTY_TLS_CERT: ({ tls }) => tls?.certFile ?? null,
  TENACITTY_TLS_KEY: ({ tls }) => tls?.keyFile ?? null,
};

function countOfHashes(count: number): string | null {
  return count === 0 ? null : `${count} (not shown)`;
}
