/** Determines the default directory for the hosts' sockets. Reads the file system; changes nothing. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Maximum length of the directory's path: the system's limit for a socket path (103 bytes on macOS), minus the hash and
 * the name that hosts append.
 */
const MAX_BYTES = 73;

/**
 * Returns a directory in the system's runtime directory. If there is none (no login session), returns a directory in
 * `/tmp`. If another user owns that directory, returns one in the data directory instead, provided that its path is
 * short enough.
 */
export function defaultRuntimeDir(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
  temporary = '/tmp',
): string {
  const base = env['XDG_RUNTIME_DIR'];
  if (base?.startsWith('/')) return join(base, 'tenacitty');
  const uid = process.getuid?.() ?? 0;
  const usual = join(temporary, `tenacitty-${uid}`);
  const spare = join(dataDir, 'run');
  return isOfAnother(usual, uid) && Buffer.byteLength(spare) <= MAX_BYTES ? spare : usual;
}

function isOfAnother(path: string, uid: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.uid !== uid;
}
