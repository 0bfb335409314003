/**
 * The place of a server or a command: its two directories. What is wrong there, and whether two are the same. It looks,
 * and changes nothing.
 */
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { readKeyFile } from '../access/key-file.js';
import { privacyProblem } from '../data-directory.js';
import { usualDataDir } from './options.js';
import type { Options } from './options.js';

type Place = Pick<Options, 'dataDir' | 'runtimeDir' | 'persistent'>;

export interface PlaceProblems {
  /** Why no terminal can be made, if none can. */
  readonly terminals: string | undefined;
  /** Why keys of the key file are not taken, if they are not. */
  readonly keys: string | undefined;
}

export function placeProblems({ dataDir, runtimeDir, persistent }: Place): PlaceProblems {
  return { terminals: persistent ? runtimeProblem(runtimeDir) : undefined, keys: readKeyFile(dataDir).problem };
}

/** Whoever made the directory first, as another user in /tmp, would hold the sockets. One that is missing is made. */
function runtimeProblem(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const problem = stats && privacyProblem(stats, process.getuid?.() ?? 0, path);
    return problem ? `TENACITTY_RUNTIME_DIR ${path} cannot be used: ${problem}` : undefined;
  } catch (error) {
    return `TENACITTY_RUNTIME_DIR ${path} cannot be used: ${(error as Error).message}`;
  }
}

/** The same for all that have the same terminals, which are found from any runtime directory; tells nobody where they are. */
export function placeMark({ dataDir }: Pick<Place, 'dataDir'>): string {
  return createHash('sha256').update(resolved(dataDir)).digest('hex').slice(0, 16);
}

/** Flags by which a shell that knows no setting finds the terminals of a data directory; empty where it finds them anyway. */
export function placeFlags({ dataDir, persistent }: Pick<Place, 'dataDir' | 'persistent'>): string {
  if (!persistent || dataDir === usualDataDir()) return '';
  return ` --data-dir=${PLAIN.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", `'\\''`)}'`}`;
}

/** What no shell takes for more than it is. */
const PLAIN = /^[\w@%+:,./-]+$/;

/** By whatever links it is named. One that is not there yet is as it was given. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
