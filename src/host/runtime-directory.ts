/**
 * Manages the directories of host sockets: one directory that only its user can access, with a subdirectory for each
 * data directory. Node cannot query the peer of a Unix socket, so this directory controls the access.
 */
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataDirectoryProblem, privacyProblem } from '../data-directory.js';
import { makeDirectory } from '../directory.js';
import { TerminalError } from '../errors.js';

/** The kernel's limit without the closing NUL; slightly less on macOS. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
const HASH_LENGTH = 12;

export interface HostDirectories {
  readonly runtimeDir: string;
  readonly dataDir: string;
}

/** Returns the directory of the hosts of one data directory. It need not exist. */
export function hostDirectory({ runtimeDir, dataDir }: HostDirectories): string {
  const hash = createHash('sha256').update(realPath(dataDir)).digest('hex').slice(0, HASH_LENGTH);
  return join(runtimeDir, hash);
}

/** @throws `HOST_FAILED` if the path is too long for the system. */
export function socketPath(directory: string, slot: number): string {
  const path = join(directory, `host-${slot}.sock`);
  const length = Buffer.byteLength(path);
  if (length <= MAX_SOCKET_PATH_BYTES) return path;
  const message =
    `TENACITTY_RUNTIME_DIR is too long: the path of a socket in it, ${path}, has ${length} bytes, and the system ` +
    `allows ${MAX_SOCKET_PATH_BYTES}. Set TENACITTY_RUNTIME_DIR to a shorter path.`;
  throw new TerminalError('HOST_FAILED', message, { path, given: length, expected: MAX_SOCKET_PATH_BYTES });
}

/** Returns the directory for the files that the shell integration of one host needs while shells run. */
export function shellDirectory({ slot, ...places }: HostDirectories & { readonly slot: number }): string {
  return join(hostDirectory(places), `shell-${slot}`);
}

/** Returns the history directory of one host's terminals. */
export function historyDirectory(dataDir: string, slot: number): string {
  return join(dataDir, 'terminals', String(slot));
}

/** Returns the path of one host's log. */
export function logPath(dataDir: string, slot: number): string {
  return join(dataDir, 'hosts', `host-${slot}.log`);
}

/**
 * Creates missing directories with mode 0700, and checks existing ones.
 *
 * @throws `HOST_FAILED` if another user could access one of them, or if the path of a socket there would be too long;
 * in the latter case, nothing is created.
 */
export function prepareHostDirectory(places: HostDirectories): string {
  const directory = hostDirectory(places);
  socketPath(directory, 0);
  makePrivate(places.runtimeDir, 'TENACITTY_RUNTIME_DIR');
  makePrivate(directory, 'TENACITTY_RUNTIME_DIR');
  return directory;
}

/**
 * Returns the directory of a host that was started with a different TENACITTY_RUNTIME_DIR. It need not exist.
 *
 * @throws `HOST_FAILED` if another user could access it.
 */
export function hostDirectoryOfOther(places: HostDirectories): string {
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

/**
 * @param setting - The setting to change if the directory cannot be used.
 * @throws `HOST_FAILED` if the directory cannot be created, or another user could access it.
 */
export function makePrivate(path: string, setting: string): void {
  try {
    makeDirectory(path);
  } catch (cause) {
    // The path is a dangling link or a file. Checking the parts that exist gives a better message than this error.
    if (!isThere(path)) throw refuse(path, setting, (cause as Error).message, cause);
  }
  checkPrivate(path, setting);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // This user may not be allowed to search a parent directory.
    return false;
  }
}

/** @throws `HOST_FAILED` unless `path` is a directory of this user that no other user can access. */
export function checkPrivate(path: string, setting: string): void {
  const problem = privacyProblem(lstatSync(path), process.getuid?.() ?? 0, path);
  if (problem !== null) throw refuse(path, setting, problem);
}

/**
 * Creates the missing parts of a data directory with mode 0700.
 *
 * @throws `HOST_FAILED` if other users could have written to it.
 */
export function prepareDataDirectory(dataDir: string): void {
  const problem = problemOfMaking(dataDir);
  if (problem !== null) throw refuse(dataDir, 'TENACITTY_DATA_DIR', problem);
}

function refuse(path: string, setting: string, problem: string, cause?: unknown): TerminalError {
  const message = `${path} cannot be used: ${problem}. Correct this, or set ${setting} to another directory.`;
  return new TerminalError('HOST_FAILED', message, { path, setting }, { cause });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist yet. Without links, the result will be the same once it exists.
    return resolve(path);
  }
}
