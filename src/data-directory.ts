/**
 * Whether others could have put something into the data directory: into it, `terminals` in it, or a host's own place in
 * that. It looks, and changes nothing; it knows nothing of what lies there.
 */
import { constants, lstatSync, readdirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';

const OTHERS_MAY_ANYTHING = 0o077;
const OTHERS_MAY_WRITE = 0o022;
const SLOT = /^\d{1,6}$/;
const ROOT = 0;

type Judged = Pick<Stats, 'isDirectory' | 'uid' | 'mode'>;

/** Why a directory is not this user's alone, with the cure, or null. Pure. @param stats - As `lstat` gives them. */
export function privacyProblem(stats: Judged, uid: number, path: string): string | null {
  if (!stats.isDirectory()) return 'it is not a directory (a link is not followed)';
  if (stats.uid !== uid) return `it belongs to another user (uid ${stats.uid}, not ${uid})`;
  if ((stats.mode & OTHERS_MAY_ANYTHING) === 0) return null;
  return `its mode is ${octal(stats.mode)}, so that others may get in; 0700 is needed: chmod 700 ${path}`;
}

/**
 * Why the data directory itself, or a file that counts, cannot be trusted, with the cure, or null. It may be a link and
 * others may look into it; root may own it, who could change it anyway. Pure.
 */
export function writersProblem(stats: Pick<Stats, 'uid' | 'mode'>, uid: number, path: string): string | null {
  if (stats.uid !== uid && stats.uid !== ROOT) return `${path} belongs to another user (uid ${stats.uid}, not ${uid})`;
  if ((stats.mode & OTHERS_MAY_WRITE) === 0) return null;
  const cure = (stats.mode & constants.S_IFMT) === constants.S_IFREG ? '600' : '700';
  return `its mode is ${octal(stats.mode)}: others may write to ${path}; run: chmod ${cure} ${path}`;
}

/**
 * Why a data directory, or what lies in it, cannot be trusted: which directory, what is wrong and the cure. Null if all
 * is well or nothing is there yet.
 *
 * @throws The system's error, where it may not be looked at.
 */
export function dataDirectoryProblem(dataDir: string): string | null {
  const uid = process.getuid?.() ?? ROOT;
  const stats = statSync(dataDir, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return null;
  const problem = writersProblem(stats, uid, dataDir);
  if (problem !== null) return problem;
  return historyProblem(join(dataDir, 'terminals'), uid);
}

/** What lies deeper was made by us, where nobody else may get in so far. */
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
