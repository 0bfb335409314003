/**
 * Where hosts have their sockets: a directory that belongs to its user alone, below it one for each data directory.
 * Node cannot ask who is at the other end of a Unix socket, so this directory is the guard. It knows neither sockets nor
 * locks.
 */
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataDirectoryProblem, privacyProblem } from '../data-directory.js';
import { makeDirectory } from '../directory.js';
import { TerminalError } from '../errors.js';

/** What the kernel takes, less the closing NUL; on macOS a little less. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
const HASH_LENGTH = 12;

export interface HostPlaces {
  readonly runtimeDir: string;
  readonly dataDir: string;
}

/** The directory for the hosts of one data directory. It need not exist. */
export function hostDirectory({ runtimeDir, dataDir }: HostPlaces): string {
  const hash = createHash('sha256').update(realPath(dataDir)).digest('hex').slice(0, HASH_LENGTH);
  return join(runtimeDir, hash);
}

/** @throws `HOST_FAILED` if the system would not take so long a path. */
export function socketPath(directory: string, slot: number): string {
  const path = join(directory, `host-${slot}.sock`);
  const length = Buffer.byteLength(path);
  if (length <= MAX_SOCKET_PATH_BYTES) return path;
  const message =
    `TENACITTY_RUNTIME_DIR is too long: the path of a socket in it, ${path}, has ${length} bytes, ` +
    `and the system takes ${MAX_SOCKET_PATH_BYTES}. Set TENACITTY_RUNTIME_DIR to a shorter path.`;
  throw new TerminalError('HOST_FAILED', message, { path, given: length, expected: MAX_SOCKET_PATH_BYTES });
}

/** What the integration of one host's shells needs while they run. */
export function shellDirectory({ slot, ...places }: HostPlaces & { readonly slot: number }): string {
  return join(hostDirectory(places), `shell-${slot}`);
}

/** Where the terminals of one host have their history. */
export function historyDirectory(dataDir: string, slot: number): string {
  return join(dataDir, 'terminals', String(slot));
}

/** The log of one host. */
export function logPath(dataDir: string, slot: number): string {
  return join(dataDir, 'hosts', `host-${slot}.log`);
}

/**
 * Makes what is missing, mode 0700, and checks what is there.
 *
 * @throws `HOST_FAILED` if another user could get in, or no socket could be made in it; then nothing is made.
 */
export function prepareHostDirectory(places: HostPlaces): string {
  const directory = hostDirectory(places);
  socketPath(directory, 0);
  makePrivate(places.runtimeDir, 'TENACITTY_RUNTIME_DIR');
  makePrivate(directory, 'TENACITTY_RUNTIME_DIR');
  return directory;
}

/**
 * The directory that the host of another TENACITTY_RUNTIME_DIR looks after.
 *
 * @throws `HOST_FAILED` if another user could get in. It need not be there.
 */
export function hostDirectoryOfOther(places: HostPlaces): string {
  const directory = hostDirectory(places);
  for (const path of [places.runtimeDir, directory]) {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) checkPrivate(path, 'TENACITTY_RUNTIME_DIR');
  }
  return directory;
}

function problemOfMaking(dataDir: string): string | null {
  try {
    makeDirectory(dataDir);
    return dataDirectoryProblem(dataDir);
  } catch (error) {
    return (error as Error).message;
  }
}

/** @param setting - What to change if the directory cannot be used. @throws `HOST_FAILED` */
export function makePrivate(path: string, setting: string): void {
  try {
    makeDirectory(path);
  } catch (cause) {
    // A link to nowhere, or a file: what is there says more than the error.
    if (!isThere(path)) throw refuse(path, setting, (cause as Error).message, cause);
  }
  checkPrivate(path, setting);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What is above it may not be entered.
    return false;
  }
}

/** @throws `HOST_FAILED` unless `path` is a directory of this user that nobody else may look into. */
export function checkPrivate(path: string, setting: string): void {
  const problem = privacyProblem(lstatSync(path), process.getuid?.() ?? 0, path);
  if (problem !== null) throw refuse(path, setting, problem);
}

/** Makes what is missing of a data directory, mode 0700. @throws `HOST_FAILED` if others could have put something there. */
export function prepareDataDirectory(dataDir: string): void {
  const problem = problemOfMaking(dataDir);
  if (problem !== null) throw refuse(dataDir, 'TENACITTY_DATA_DIR', problem);
}

function refuse(path: string, setting: string, problem: string, cause?: unknown): TerminalError {
  const message = `${path} cannot be used: ${problem}. Mend it, or set ${setting} to another directory.`;
  return new TerminalError('HOST_FAILED', message, { path, setting }, { cause });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there yet; without links the answer will be the same when it is.
    return resolve(path);
  }
}
