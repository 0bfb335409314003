/**
 * Finds the directories that are used unless others are given: for data, and for the sockets of hosts. Checks whether
 * other users could have written to the data directory, to its subdirectory `terminals`, or to a host's directory in
 * `terminals`. Changes nothing; does not examine the contents.
 */
import { constants, lstatSync, readdirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { TerminalError } from './errors.js';

const OTHERS_MAY_ANYTHING = 0o077;
const OTHERS_MAY_WRITE = 0o022;
const SLOT = /^\d{1,6}$/;
const ROOT = 0;

type Judged = Pick<Stats, 'isDirectory' | 'uid' | 'mode'>;

/** Returns why a directory is not private to this user, with a remedy, or null. Pure. @param stats - From `lstat`. */
export function privacyProblem(stats: Judged, uid: number, path: string): string | null {
  if (!stats.isDirectory()) return 'it is not a directory (links are not followed)';
  if (stats.uid !== uid) return `it belongs to another user (uid ${stats.uid}, not ${uid})`;
  if ((stats.mode & OTHERS_MAY_ANYTHING) === 0) return null;
  return `its mode is ${octal(stats.mode)}, which gives others access; expected 0700: chmod 700 ${path}`;
}

/**
 * Returns why a directory of this user may be in the hands of another user, or null if it is not: up to the first
 * directory of root, all of its parents must belong to this user.
 *
 * @throws `ENOENT` if it does not exist.
 */
export function ownersProblem(path: string): string | null {
  const uid = process.getuid?.() ?? ROOT;
  const { uid: owner } = lstatSync(path);
  if (owner !== uid && owner !== ROOT) return `${path} belongs to another user (uid ${owner}, not ${uid})`;
  const parent = dirname(path);
  return parent === path || (owner === ROOT && uid !== ROOT) ? null : ownersProblem(parent);
}

/**
 * Returns why the data directory itself, or an important file, cannot be trusted, with a remedy, or null if it can. It
 * is allowed to be a link, to be readable by others, and to be owned by root, who could change it anyway. Pure.
 */
export function writersProblem(stats: Pick<Stats, 'uid' | 'mode'>, uid: number, path: string): string | null {
  if (stats.uid !== uid && stats.uid !== ROOT) return `${path} belongs to another user (uid ${stats.uid}, not ${uid})`;
  if ((stats.mode & OTHERS_MAY_WRITE) === 0) return null;
  const cure = (stats.mode & constants.S_IFMT) === constants.S_IFREG ? '600' : '700';
  return `others can write to ${path} (mode ${octal(stats.mode)}); run: chmod ${cure} ${path}`;
}

/**
 * Returns which part of a data directory cannot be trusted, why, and a remedy; null if there is no problem, or if
 * nothing exists yet.
 *
 * @throws The system's error if this user has no permission to examine the directory.
 */
export function dataDirectoryProblem(dataDir: string): string | null {
  const uid = process.getuid?.() ?? ROOT;
  const stats = statSync(dataDir, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return null;
  const problem = writersProblem(stats, uid, dataDir);
  if (problem !== null) return problem;
  return historyProblem(join(dataDir, 'terminals'), uid);
}

/**
 * Returns the problem with `terminals` or a host's directory in it. Deeper levels need no check: this program created
 * them, inside directories that no other user can enter.
 */
function historyProblem(root: string, uid: number): string | null {
  const problem = problemAt(root, uid);
  if (problem !== null || lstatSync(root, { throwIfNoEntry: false }) === undefined) return problem;
  const slots = readdirSync(root).filter((name) => SLOT.test(name));
  return slots.map((name) => problemAt(join(root, name), uid)).find((found) => found !== null) ?? null;
}

function problemAt(path: string, uid: number): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const problem = stats === undefined ? null : privacyProblem(stats, uid, path);
  return problem === null ? null : `${path} cannot be used: ${problem}`;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

/**
 * Maximum length of the runtime directory's path: the system's limit for a socket path (103 bytes on macOS), minus the
 * hash and the name that hosts append.
 */
const MAX_RUNTIME_DIR_BYTES = 73;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the default data directory, according to the XDG base directory specification. Ignores a relative
 * XDG_DATA_HOME.
 */
export function defaultDataDir(env: Env): string {
  const base = env['XDG_DATA_HOME'];
  return join(base?.startsWith('/') ? base : join(home(), '.local', 'share'), 'tenacitty');
}

/**
 * Returns the default directory for the hosts' sockets: one in the system's runtime directory. If there is none (no
 * login session), returns one in `/tmp`. If another user owns that directory, returns one in the data directory
 * instead, provided that its path is short enough.
 */
export function defaultRuntimeDir(env: Env, dataDir: string): string {
  const base = env['XDG_RUNTIME_DIR'];
  if (base?.startsWith('/')) return join(base, 'tenacitty');
  const uid = process.getuid?.() ?? 0;
  const usual = join('/tmp', `tenacitty-${uid}`);
  const spare = join(dataDir, 'run');
  return isOfAnother(usual, uid) && Buffer.byteLength(spare) <= MAX_RUNTIME_DIR_BYTES ? spare : usual;
}

function isOfAnother(path: string, uid: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.uid !== uid;
}

/** Returns the data directory that commands use in a shell without settings; null if the user has no home directory. */
export function usualDataDir(): string | null {
  try {
    return defaultDataDir({});
  } catch {
    return null;
  }
}

/**
 * Returns the home directory. Call this only when it is needed. @throws `INVALID_INPUT` if the user has neither HOME
 * nor an entry in the user database.
 */
export function home(): string {
  try {
    return homedir();
  } catch (cause) {
    const message =
      'Your home directory is not known (no HOME, no entry in the user database): set TENACITTY_DATA_DIR.';
    throw new TerminalError('INVALID_INPUT', message, {}, { cause });
  }
}
