/**
 * Describes where a server or command keeps its files: problems with its two directories, a value to compare two
 * locations by, and flags that lead to a location. Reads the file system; changes nothing.
 */
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { readKeyFile } from '../access/key-file.js';
import { privacyProblem, usualDataDir } from '../data-directory.js';
import type { Options } from './options.js';

type DataLocation = Pick<Options, 'dataDir' | 'runtimeDir' | 'persistent'>;

export interface PlaceProblems {
  /** Why no terminal can be created; undefined if terminals can be created. */
  readonly terminals: string | undefined;
  /** Why keys from the key file are not accepted; undefined if they are accepted. */
  readonly keys: string | undefined;
}

export function placeProblems({ dataDir, runtimeDir, persistent }: DataLocation): PlaceProblems {
  return { terminals: persistent ? runtimeProblem(runtimeDir) : undefined, keys: readKeyFile(dataDir).problem };
}

/**
 * Returns the problem with the runtime directory, if any. If another user created it first, for example in /tmp, that
 * user would control the sockets. A missing directory is not a problem, because it will be created.
 */
function runtimeProblem(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const problem = stats && privacyProblem(stats, process.getuid?.() ?? 0, path);
    return problem ? `TENACITTY_RUNTIME_DIR ${path} cannot be used: ${problem}` : undefined;
  } catch (error) {
    return `TENACITTY_RUNTIME_DIR ${path} cannot be used: ${(error as Error).message}`;
  }
}

/**
 * Returns a value that is equal for all processes that share the same terminals, regardless of their runtime
 * directories. The value does not reveal the data directory.
 */
export function placeMark({ dataDir }: Pick<DataLocation, 'dataDir'>): string {
  return createHash('sha256').update(resolved(dataDir)).digest('hex').slice(0, 16);
}

/**
 * Returns the flags that commands in a shell without settings need to find the terminals of a data directory; empty if
 * none are needed.
 */
export function placeFlags({ dataDir, persistent }: Pick<DataLocation, 'dataDir' | 'persistent'>): string {
  if (!persistent || dataDir === usualDataDir()) return '';
  return ` --data-dir=${PLAIN.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", `'\\''`)}'`}`;
}

/** Characters that need no shell quoting. */
const PLAIN = /^[\w@%+:,./-]+$/;

/** Resolves links. A path that does not exist yet is returned unchanged. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
