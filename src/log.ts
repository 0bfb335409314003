/**
 * The log: JSON lines to a file or to stderr, or one readable line each when a person watches. It
 * writes nothing to stdout, which belongs to whatever a command prints.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import pino from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { TerminalError } from './errors.js';
import { printable } from './printable.js';
import { writeStderr } from './stderr.js';
import type { EngineLog, LogLevel } from './contract/options.js';

export type { Logger } from 'pino';

export interface LogOptions {
  readonly logLevel: LogLevel;
  /** File to append to, or null for stderr. */
  readonly logFile: string | null;
}

const STDERR = 2;
/** Secrets that could reach the log with a request; each is replaced, whoever logs it. */
const SECRETS = ['authorization', 'cookie', 'x-api-key', 'set-cookie'];
const REDACTED = SECRETS.flatMap((name) => [`["${name}"]`, `headers["${name}"]`]);

/**
 * Opens the log.
 *
 * @throws {TerminalError} `INVALID_INPUT` if TENACITTY_LOG_FILE cannot be opened.
 */
export function openLog(options: LogOptions): Logger {
  return openLogFile(options).log;
}

/** As `openLog`, with a way to go on in the file that has the name TENACITTY_LOG_FILE now; on stderr that does nothing. */
export function openLogFile({ logLevel, logFile }: LogOptions): { log: Logger; reopen: () => void } {
  const file = logFile === null ? undefined : toFile(logFile);
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: REDACTED };
  return { log: pino(options, file ?? toStderr()), reopen: () => file?.reopen() };
}

/**
 * As `openLog`, for a program that others have started and whose stderr they show as if it were trouble: unless somebody
 * asks for more, only trouble is told there.
 *
 * @param options - `origins.TENACITTY_LOG_LEVEL`: where the level comes from; `default` if nobody has set it.
 */
export function openQuietLog(
  options: LogOptions & { readonly origins: { readonly TENACITTY_LOG_LEVEL: string } },
): Logger {
  const isQuiet = options.logFile === null && options.origins.TENACITTY_LOG_LEVEL === 'default';
  return openLog(isQuiet ? { ...options, logLevel: 'warn' } : options);
}

function toStderr(): DestinationStream {
  return { write: isatty(STDERR) ? (line) => writeStderr(readable(line)) : writeStderr };
}

function toFile(path: string): LogFile {
  try {
    return new LogFile(path);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new TerminalError('INVALID_INPUT', `TENACITTY_LOG_FILE ${path} cannot be opened: ${reason}`, {}, { cause });
  }
}

/** Appended to at once, line by line: what was logged last before a crash is what matters most. */
class LogFile {
  readonly #path: string;
  #fd: number;

  /** @throws The error of `open`. */
  constructor(path: string) {
    this.#path = path;
    this.#fd = open(path);
  }

  /** Never throws: a log that cannot be kept any more (a full disk) must not end the terminals. */
  write(line: string): void {
    try {
      let rest = Buffer.from(line);
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest));
    } catch {
      // There is nobody to tell.
    }
  }

  /** Goes on in the file that has the name now, made if there is none. @throws The error of `open`: the old one goes on. */
  reopen(): void {
    const before = this.#fd;
    this.#fd = open(this.#path);
    closeSync(before);
  }
}

function open(path: string): number {
  return openSync(path, 'a', 0o600);
}

/** How the engine says what happens, without knowing the logger. */
export function engineLog(log: Logger): EngineLog {
  return (level, message, fields) => log[level](fields, message);
}

/** `12:00:00.123 warn  A message field=value`: what JSON's escapes leave of controls (C1, what turns text) is shown as `?`. */
export function readable(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const label = pino.levels.labels[Number(level)] ?? '';
  const clock = String(time).slice('yyyy-mm-ddT'.length, -1);
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const text = `${clock} ${label.padEnd('error'.length)} ${JSON.stringify(msg ?? '').slice(1, -1)}${rest.join('')}`;
  return `${printable(text)}\n`;
}
