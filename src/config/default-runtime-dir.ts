/** Where the sockets of hosts are if no setting says so. It looks, and changes nothing. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** What the system takes for the path of a socket (103 bytes on macOS), less what hosts put behind: a hash, and its name. */
const MAX_BYTES = 73;

/**
 * What the system has for this. Where it has nothing (no login session), a directory in `/tmp`; unless another user has
 * made that one first: then one in the data directory, if its path is short enough.
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
