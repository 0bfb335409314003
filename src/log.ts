/**
 * Writes the log: JSON lines to a file or to stderr, or readable lines if stderr is a terminal. Never writes to stdout,
 * which is reserved for the output of commands.
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
/** Headers whose values are secrets. They could reach the log with a request, and are redacted in every line. */
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

/**
 * Opens the log as `openLog` does. Also returns a function that reopens the file that TENACITTY_LOG_FILE names; for
 * stderr, that function does nothing.
 */
export function openLogFile({ logLevel, logFile }: LogOptions): { log: Logger; reopen: () => void } {
  const file = logFile === null ? undefined : toFile(logFile);
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const options = { level: logLevel, base: null, timestamp, formatters, redact: REDACTED };
  return { log: pino(options, file ?? toStderr()), reopen: () => file?.reopen() };
}

/**
 * Opens the log as `openLog` does, for a program whose parent displays stderr as errors. Unless a log level was set
 * explicitly, logs only warnings and errors to stderr.
 *
 * @param options - `origins.TENACITTY_LOG_LEVEL`: where the level comes from; `default` if it was not set.
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

/** Appends to the log file. Writes each line immediately, because the last lines before a crash matter most. */
class LogFile {
  readonly #path: string;
  #fd: number;

  /** @throws The error of `open`. */
  constructor(path: string) {
    this.#path = path;
    this.#fd = open(path);
  }

  /**
   * Appends a line. Never throws, because a log that can no longer be written, for example to a full disk, must not end
   * the terminals.
   */
  write(line: string): void {
    try {
      let rest = Buffer.from(line);
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest));
    } catch {
      // There is nowhere to report the error.
    }
  }

  /**
   * Continues in the file that the path leads to now, and creates it if necessary.
   *
   * @throws The error of `open`. The old file then stays in use.
   */
  reopen(): void {
    const before = this.#fd;
    this.#fd = open(this.#path);
    closeSync(before);
  }
}

function open(path: string): number {
  return openSync(path, 'a', 0o600);
}

/** Adapts the logger to the engine's log function. */
export function engineLog(log: Logger): EngineLog {
  return (level, message, fields) => log[level](fields, message);
}

/**
 * Formats a line as `12:00:00.123 warn A message field=value`. Control characters that JSON does not escape (C1,
 * bidirectional overrides) are shown as `?`.
 */
export function readable(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const label = String(level);
  const clock = String(time).slice('yyyy-mm-ddT'.length, -1);
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const text = `${clock} ${label.padEnd('error'.length)} ${JSON.stringify(msg ?? '').slice(1, -1)}${rest.join('')}`;
  return `${printable(text)}\n`;
}
