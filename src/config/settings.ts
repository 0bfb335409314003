/**
 * Defines the table of settings: name, schema, expected values, default, and a sentence of documentation. Reads no
 * settings: `config.ts` does. `--help` and `.env.example` are generated from the table.
 */
import { z } from 'zod';
import { parseNetwork } from '../access/client-address.js';
import { nearest } from '../nearest.js';
import { DEFAULT_ENGINE_OPTIONS } from '../contract/options.js';
import { formatDuration } from '../duration.js';
import { formatSize } from './size.js';
import { list, nonEmpty, origin, path, size, time, trueOrFalse, whole } from './values.js';

/** A setting. Its value is given as text, regardless of the source. */
interface Setting {
  readonly schema: z.ZodType<unknown, string>;
  /** Completes the phrase "expected …". */
  readonly expected: string;
  /**
   * The default, as it would be written; null if there is none, or if it depends on other settings or on the system.
   */
  readonly fallback: string | null;
  /** The purpose of the setting, in one sentence. */
  readonly doc: string;
  /** The effect of not setting it, if `fallback` is null. */
  readonly otherwise?: string;
}

const GIB = 1 << 30;
const MAX_PORT = 65_535;
/** Maximum of settings that count things. No sensible value is larger, so this catches a mistyped extra digit. */
const MAX_COUNT = 100_000;
const MAX_LINES = 100_000_000;
/** The longest grace period that a kill may request; see `killTerminal` in `contract/terminal.ts`. */
const MAX_GRACE_MS = 60_000;
/** A pebibyte: more than any current disk. */
const MAX_DISK = 2 ** 50;
const MAX_RATE = 1_000_000_000;
/** Enough for the longest input in JSON with ordinary escapes. */
const DEFAULT_BODY_BYTES = 8 << 20;
/** A thousand requests per second, which normal use never reaches but a runaway loop quickly does. */
const DEFAULT_RATE = 60_000;

/** As `cli/attach/detach-key.ts` reads it. */
const DETACH_KEY = /^(?:none|(?:ctrl[-+]|\^|c-)[a-z\\\]^_](?:,(?:(?:ctrl[-+]|\^|c-)[a-z\\\]^_]|[a-z0-9]))?)$/i;
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/;
const engine = DEFAULT_ENGINE_OPTIONS;

export const SETTINGS = {
  TENACITTY_PORT: {
    ...whole(0, MAX_PORT),
    fallback: '3001',
    doc: 'Port to listen on; 0 lets the system choose a free one.',
  },
  TENACITTY_HOST: {
    schema: z.string().regex(/^[^\s/@#?]+$/),
    expected: 'an address or a host name, without a port',
    fallback: '127.0.0.1',
    doc: 'Address to listen on. An address that other machines can reach (such as 0.0.0.0) requires an API key.',
  },
  TENACITTY_MAX_BUFFER_SIZE: {
    ...whole(1, MAX_LINES, 'lines'),
    fallback: String(engine.maxBufferLines),
    doc: 'Maximum number of lines of history in memory per terminal.',
  },
  TENACITTY_MAX_BUFFER_BYTES: {
    ...size(1 << 16, 64 * GIB),
    fallback: null,
    doc: 'Maximum number of bytes of history in memory per terminal.',
    otherwise: '400 per line of TENACITTY_MAX_BUFFER_SIZE, at least 1 MiB',
  },
  TENACITTY_SESSION_TIMEOUT: {
    ...time(Number.MAX_SAFE_INTEGER, 'never'),
    fallback: formatDuration(engine.sessionTimeoutMs),
    doc:
      'Ends a shell that has been idle at an empty prompt, without subscribers, for this long. Terminals of ' +
      'tenacitty new are exempt unless this is set.',
  },
  TENACITTY_RUNNING_TIMEOUT: {
    ...time(Number.MAX_SAFE_INTEGER, 'never'),
    fallback: formatDuration(engine.runningTimeoutMs),
    doc: 'Ends a terminal, unless it is an idle shell, after this time without output, input, reads or subscribers.',
  },
  TENACITTY_MAX_TERMINALS: {
    ...whole(1, MAX_COUNT),
    fallback: String(engine.maxTerminals),
    doc: 'Maximum number of running terminals.',
  },
  TENACITTY_MAX_EXITED_TERMINALS: {
    ...whole(0, MAX_COUNT),
    fallback: String(engine.maxExitedTerminals),
    doc: 'Maximum number of ended terminals that stay readable.',
  },
  TENACITTY_MAX_INPUT_BYTES: {
    ...size(1, GIB),
    fallback: formatSize(engine.maxInputBytes),
    doc: 'Maximum size of one input.',
  },
  TENACITTY_MAX_PENDING_INPUT_BYTES: {
    ...size(1, GIB),
    fallback: formatSize(engine.maxPendingInputBytes),
    doc: 'Maximum size of the input to one terminal that its program has not read yet.',
  },
  TENACITTY_MAX_ENV_BYTES: {
    ...size(0, 64 << 20),
    fallback: formatSize(engine.maxEnvBytes),
    doc: 'Maximum size of the environment variables of a create request.',
  },
  TENACITTY_MAX_WAITING_READS: {
    ...whole(1, MAX_COUNT),
    fallback: String(engine.maxWaitingReads),
    doc:
      'Maximum number of requests per caller that may be waiting at the same time for output, a command or another ' +
      'event. Across all callers, four times as many can be waiting.',
  },
  TENACITTY_KILL_GRACE_MS: {
    ...time(MAX_GRACE_MS),
    fallback: formatDuration(engine.killGraceMs),
    doc: 'Time that processes have to exit before they receive SIGKILL.',
  },
  TENACITTY_SHELL_PATH: {
    schema: nonEmpty,
    expected: 'the path of an executable shell, or a name found on PATH',
    fallback: null,
    doc: 'Shell to start if a request does not name one.',
    otherwise: 'your login shell ($SHELL)',
  },
  TENACITTY_SHELL_INTEGRATION: {
    ...trueOrFalse,
    fallback: 'true',
    doc: 'Shell integration, which tracks each command, for terminals whose create request does not specify it.',
  },
  TENACITTY_DATA_DIR: {
    ...path,
    fallback: null,
    doc: 'Directory for data on disk: API keys (hashes only) and the history of terminals.',
    otherwise: '$XDG_DATA_HOME/tenacitty, or ~/.local/share/tenacitty',
  },
  TENACITTY_HISTORY: {
    schema: z.enum(['disk', 'memory']),
    expected: 'disk or memory',
    fallback: 'disk',
    doc: 'History of terminals whose create request does not specify it: `disk` (in memory and on disk) or `memory`.',
  },
  TENACITTY_MAX_DISK_BYTES: {
    ...size(1 << 20, MAX_DISK),
    fallback: formatSize(engine.maxDiskBytes),
    doc: 'Maximum size of history on disk per terminal. The oldest history is deleted first.',
  },
  TENACITTY_MAX_DISK_BYTES_TOTAL: {
    ...size(1 << 20, MAX_DISK),
    fallback: formatSize(engine.maxDiskBytesTotal),
    doc: 'Maximum size of history on disk for all terminals. The history of ended terminals is deleted first.',
  },
  TENACITTY_MAX_DISK_AGE: {
    ...time(Number.MAX_SAFE_INTEGER, 'for ever'),
    fallback: formatDuration(engine.maxDiskAgeMs),
    doc: 'How long the history of an ended terminal stays on disk.',
  },
  TENACITTY_PERSISTENT: {
    ...trueOrFalse,
    fallback: 'true',
    doc:
      'Whether host processes hold the terminals, so that they outlive the server. false: terminals end with the ' +
      'server.',
  },
  TENACITTY_MAX_HOST_TERMINALS: {
    ...whole(1, MAX_COUNT),
    fallback: '50',
    doc: 'Maximum number of running terminals per host process. If more are needed, another host process starts.',
  },
  TENACITTY_RUNTIME_DIR: {
    ...path,
    fallback: null,
    doc: 'Directory for the sockets of host processes. Only you may have access to it (mode 0700).',
    otherwise:
      '$XDG_RUNTIME_DIR/tenacitty, or /tmp/tenacitty-<your uid> (if another user owns that directory: run in ' +
      'TENACITTY_DATA_DIR)',
  },
  TENACITTY_DETACH_KEY: {
    schema: z.string().regex(DETACH_KEY),
    expected: 'ctrl- followed by a letter or one of \\ ] ^ _, a second key after a comma, or none',
    fallback: 'ctrl-\\',
    doc: 'Key, or two keys, that detach your terminal from a terminal (`tenacitty attach`, `run`).',
  },
  TENACITTY_LOG_LEVEL: {
    schema: z.enum(['error', 'warn', 'info', 'debug']),
    expected: 'error, warn, info or debug',
    fallback: 'info',
    doc: 'How much is logged. Input and output are never logged.',
  },
  TENACITTY_LOG_FILE: {
    ...path,
    fallback: null,
    doc: 'File to append the log to.',
    otherwise: 'the log goes to stderr',
  },
  TENACITTY_LOG_READS: {
    schema: z.enum(['true', 'false']).transform((text) => text === 'true'),
    expected: 'true or false',
    fallback: 'true',
    doc: 'Whether successful GET requests are logged at `info`. false: they are logged at `debug`.',
  },
  TENACITTY_TRUSTED_PROXIES: {
    schema: list(z.string().refine((text) => parseNetwork(text) !== undefined)),
    expected: 'a comma-separated list of addresses and networks, such as 127.0.0.1 or 10.0.0.0/8',
    fallback: '',
    doc: 'Proxies whose X-Forwarded-For header is trusted, for the address in the log and for counting failed logins.',
  },
  TENACITTY_COMMAND_POLICY_FILE: {
    ...path,
    fallback: null,
    doc: 'JSON file with the policy, which defines the programs that may run; see docs/policy.md.',
    otherwise: 'authenticated callers can run anything that you can',
  },
  TENACITTY_CORS_ORIGIN: {
    schema: z.literal('*').or(list(origin).pipe(z.array(z.string()).min(1))),
    expected: '* or a comma-separated list of origins, such as https://app.example.com',
    fallback: '*',
    doc: 'Origins whose pages may call the API. Each call from a page needs an API key.',
  },
  TENACITTY_ALLOWED_HOSTS: {
    schema: list(z.string().toLowerCase().regex(hostPattern)),
    expected: 'a comma-separated list of host names, each with an optional :port',
    fallback: '',
    doc: 'Additional host names (Host header) that this server accepts, for example those of a proxy.',
  },
  TENACITTY_API_KEY_SHA256: {
    schema: list(
      z
        .string()
        .toLowerCase()
        .regex(/^[0-9a-f]{64}$/),
    ),
    expected: 'a comma-separated list of SHA-256 hashes, 64 hex digits each',
    fallback: '',
    doc: 'Hashes of API keys, in addition to the keys created with `npm run key -- create`. Intended for containers.',
  },
  TENACITTY_TRUST_LOCAL: {
    ...trueOrFalse,
    fallback: 'true',
    doc: 'Local trust: your own processes on this machine, identified by the kernel, need no API key.',
  },
  TENACITTY_MAX_BODY_BYTES: {
    ...size(1024, GIB),
    fallback: formatSize(DEFAULT_BODY_BYTES),
    doc: 'Maximum size of a request body.',
  },
  TENACITTY_RATE_LIMIT: {
    ...whole(0, MAX_RATE, '0 = no limit'),
    fallback: String(DEFAULT_RATE),
    doc: 'Maximum number of requests per minute for each caller.',
  },
  TENACITTY_TLS_CERT: {
    ...path,
    fallback: null,
    doc: 'Certificate chain (PEM file) for HTTPS; with TENACITTY_TLS_KEY.',
    otherwise: 'HTTP',
  },
  TENACITTY_TLS_KEY: {
    ...path,
    fallback: null,
    doc: 'Private key (PEM file) for HTTPS; with TENACITTY_TLS_CERT.',
    otherwise: 'HTTP',
  },
} as const satisfies Record<string, Setting>;

/** The prefix of every setting's name. It avoids conflicts with the variables of other programs, such as PORT. */
export const PREFIX = 'TENACITTY_';

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Names of settings that a server also accepts without the prefix, because platforms and people set them that way. */
export const BARE_NAMES = ['PORT', 'HOST', 'MAX_BUFFER_SIZE', 'SESSION_TIMEOUT', 'LOG_LEVEL', 'CORS_ORIGIN'] as const;

type ValueOf<Name extends SettingName> = z.output<(typeof SETTINGS)[Name]['schema']>;

/** The parsed value of every setting; undefined if no value was given and there is no fixed default. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name]['fallback'] extends null
    ? ValueOf<Name> | undefined
    : ValueOf<Name>;
};

/** Returns a setting's flag: `TENACITTY_MAX_BUFFER_SIZE` → `--max-buffer-size`. */
export function flagOf(name: SettingName): string {
  return `--${withoutPrefix(name).toLowerCase().replaceAll('_', '-')}`;
}

/** Returns the name without the prefix, `TENACITTY_PORT` → `PORT`, if a server also accepts that name. */
export function bareNameOf(name: SettingName): string | undefined {
  return BARE_NAMES.find((bare) => bare === withoutPrefix(name));
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** Returns the setting that a mistyped name, with or without the prefix, probably means. */
export function nearestSetting(name: string): string | undefined {
  const found = nearest(withoutPrefix(name), SETTING_NAMES.map(withoutPrefix));
  return found === undefined ? undefined : `${PREFIX}${found}`;
}

function withoutPrefix(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}
