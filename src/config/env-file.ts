/**
 * Reads the settings file: the one given by `--settings-file` or, for a server, `.env` in the working directory. Never
 * adds its contents to `process.env`, so no program in a terminal inherits them.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { TerminalError } from '../errors.js';
import { withFile } from '../file-access.js';
import { bareNameOf, isSettingName, nearestSetting, PREFIX, SETTING_NAMES } from './settings.js';
import type { SettingName } from './settings.js';

export interface EnvFile {
  /** Absolute path, or null if no file was read. */
  readonly path: string | null;
  /** The values, and where each is set, as `path:line`. Empty values are omitted, because they mean "not set". */
  readonly values: ReadonlyMap<SettingName, { text: string; where: string }>;
  /** Warnings for the user that do not prevent startup. */
  readonly warnings: readonly string[];
}

/**
 * Reads the file, if any. A default `.env` can be missing, and is used only if this user or root owns it: otherwise,
 * anyone who can place a file in the working directory could gain access.
 *
 * @param isDefaultRead - Whether to read `.env` in `cwd` if no file is named.
 * @throws {TerminalError} `INVALID_INPUT` if the file cannot be read, or if a named file is missing.
 */
export function readEnvFile(cwd: string, named: string | undefined, isDefaultRead: boolean): EnvFile {
  if (named === undefined && !isDefaultRead) return { path: null, values: new Map(), warnings: [] };
  const path = resolve(cwd, named ?? '.env');
  const read = readOwned(path, named !== undefined);
  if ('skipped' in read) return { path: null, values: new Map(), warnings: read.skipped };
  const given = parseEnv(read.text);
  const where = (name: string) => `${path}:${lineOf(name, read.text)}`;
  const names = Object.keys(given);
  return {
    path,
    values: valuesOf(given, where),
    warnings: names.flatMap((name) => unknownSetting(name, where(name), named === undefined)),
  };
}

function readOwned(path: string, isNamed: boolean): { text: string } | { skipped: string[] } {
  try {
    return withFile(path, (file, stats) => {
      if (!stats.isFile()) throw new Error('it is not a regular file');
      const owner = stats.uid;
      if (!isNamed && owner !== 0 && owner !== process.getuid?.()) return { skipped: [foreignOwner(path, owner)] };
      return { text: readFileSync(file, 'utf8') };
    });
  } catch (cause) {
    if (!isNamed && (cause as NodeJS.ErrnoException).code === 'ENOENT') return { skipped: [] };
    throw unreadable(path, cause);
  }
}

function foreignOwner(path: string, owner: number): string {
  return `${path} belongs to another user (uid ${owner}) and is ignored; give --settings-file ${path} to use it.`;
}

function unreadable(path: string, cause: unknown): TerminalError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TerminalError('INVALID_INPUT', `The settings file ${path} cannot be read: ${reason}`, {}, { cause });
}

function valuesOf(given: NodeJS.Dict<string>, where: (name: string) => string): EnvFile['values'] {
  const values = new Map<SettingName, { text: string; where: string }>();
  for (const name of SETTING_NAMES) {
    const found = [name, bareNameOf(name) ?? name].find((spelling) => given[spelling]);
    if (found !== undefined) values.set(name, { text: given[found]!, where: where(found) });
  }
  return values;
}

/**
 * Returns a warning about an unknown name; none if the file may be shared with other programs, as `.env` may, and the
 * name does not resemble a setting's name.
 */
function unknownSetting(name: string, where: string, isShared: boolean): string[] {
  if (isSettingName(name) || bareNameOf(`${PREFIX}${name}` as SettingName) !== undefined) return [];
  const isOurs = name.startsWith(PREFIX) || isSettingName(`${PREFIX}${name}`);
  if (isShared && !isOurs) return [];
  const meant = nearestSetting(name);
  return [`${where}: unknown setting ${name}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`];
}

/** Returns the number of the line, counted from 1, with the last assignment of a name, which is the effective one. */
function lineOf(name: string, text: string): number {
  const isAssignment = (line: string) =>
    line
      .replace(/^\s*(export\s+)?/, '')
      .split('=')[0]
      ?.trim() === name;
  return text.split('\n').findLastIndex(isAssignment) + 1;
}
