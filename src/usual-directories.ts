/** Finds the directories that are used unless others are given: for data, and for the sockets of hosts. */
import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { TerminalError } from './errors.js';

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
