/**
 * The settings file: `.env` in the working directory, or the one named by `--settings-file`. It is read,
 * never put into `process.env`, so no program in a terminal inherits it.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { TerminalError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { isSettingName, SETTING_NAMES } from './settings.js';
import type { SettingName } from './settings.js';

export interface EnvFile {
  /** Absolute path, or null if no file was read. */
  readonly path: string | null;
  /** Given values and where: `path:line`. Empty ones are left out: they mean "not set". */
  readonly values: ReadonlyMap<SettingName, { text: string; where: string }>;
  /** Things to tell the user that do not stop the start. */
  readonly warnings: readonly string[];
}

/**
 * Reads the file. A default `.env` may be missing, and counts only if it belongs to this user or to
 * root: otherwise whoever can put a file where you start the server could let themselves in.
 *
 * @throws {TerminalError} `INVALID_INPUT` if the file cannot be read, or was named and is missing.
 */
export function readEnvFile(cwd: string, named: string | undefined): EnvFile {
  const path = resolve(cwd, named ?? '.env');
  const read = readOwned(path, named !== undefined);
  return 'skipped' in read ? { path: null, values: new Map(), warnings: read.skipped } : parse(path, read.text);
}

function readOwned(path: string, isNamed: boolean): { text: string } | { skipped: string[] } {
  let file: number;
  try {
    // Non-blocking, for a pipe in its place would be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    if (!isNamed && (cause as NodeJS.ErrnoException).code === 'ENOENT') return { skipped: [] };
    throw unreadable(path, cause);
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    const owner = stats.uid;
    if (!isNamed && owner !== 0 && owner !== process.getuid?.()) return { skipped: [foreignOwner(path, owner)] };
    return { text: readFileSync(file, 'utf8') };
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    closeSync(file);
  }
}

function foreignOwner(path: string, owner: number): string {
  return `${path} belongs to another user (uid ${owner}) and is ignored; give --settings-file ${path} to use it.`;
}

function unreadable(path: string, cause: unknown): TerminalError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TerminalError('INVALID_INPUT', `The settings file ${path} cannot be read: ${reason}`, {}, { cause });
}

function parse(path: string, text: string): EnvFile {
  const values = new Map<SettingName, { text: string; where: string }>();
  const warnings: string[] = [];
  const entries = Object.entries(parseEnv(text)).map(([name, value]) => ({ name, value, line: lineOf(name, text) }));
  for (const { name, value, line } of entries.sort((a, b) => a.line - b.line)) {
    const where = `${path}:${line}`;
    if (!isSettingName(name)) warnings.push(`${where}: unknown setting ${name}.${didYouMean(name, SETTING_NAMES)}`);
    else if (value) values.set(name, { text: value, where });
  }
  return { path, values, warnings };
}

/** The line of a name's last assignment, which is the one that counts; from 1. */
function lineOf(name: string, text: string): number {
  const isAssignment = (line: string) =>
    line
      .replace(/^\s*(export\s+)?/, '')
      .split('=')[0]
      ?.trim() === name;
  return text.split('\n').findLastIndex(isAssignment) + 1;
}
