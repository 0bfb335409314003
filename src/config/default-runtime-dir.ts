/** Determines the default directory for the hosts' sockets. Reads the file system; changes nothing. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** The system's limit for a socket path (103 bytes on macOS), minus what hosts append: a hash and the socket's name. */
const MAX_BYTES = 73;

/**
 * Returns the system's runtime directory. If there is none (no login session), returns a directory in `/tmp`, unless
 * another user has created it first. In that case, returns one in the data directory, if its path is short enough.
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
