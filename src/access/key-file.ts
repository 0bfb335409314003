/**
 * Stores API keys on disk, in `keys.json` in the data directory. The file contains hashes, ids, names and times, but
 * never a key.
 */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dataDirectoryProblem, writersProblem } from '../data-directory.js';
import { makeDirectory } from '../directory.js';
import { TerminalError } from '../errors.js';
import { withFile } from '../file-access.js';

const storedKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created: z.iso.datetime(),
  /** When the key expires; null if never. */
  expires: z.iso.datetime().nullable().default(null),
});
const keyFile = z.strictObject({ version: z.literal(1), keys: z.array(storedKey) });

export type StoredKey = z.infer<typeof storedKey>;

export interface KeyFile {
  readonly keys: readonly StoredKey[];
  /** Why the file cannot be trusted or read; `keys` is then empty. */
  readonly problem?: string;
}

/** Prefix that lets secret scanners recognise a key. */
const KEY_PREFIX = 'tnc_';
/** Length of a key. It has as many bits as the stored hash, so neither is easier to guess than the other. */
const KEY_BYTES = 32;
const ID_BYTES = 5;
const LEFT_OVER_MS = 10_000;
const OTHERS_MAY_ANYTHING = 0o077;
const NAME = /^[^\p{C}]{1,64}$/u;

export function hasExpired({ expires }: Pick<StoredKey, 'expires'>, now = Date.now()): boolean {
  return expires !== null && Date.parse(expires) <= now;
}

export function keyFilePath(dataDir: string): string {
  return join(dataDir, 'keys.json');
}

/** Returns the stored hash of a key. Keys are long and random, so a fast hash is sufficient. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/**
 * Reads the keys. A missing file means that there are none. A file that other users could have read or changed is not
 * trusted.
 */
export function readKeyFile(dataDir: string): KeyFile {
  const path = keyFilePath(dataDir);
  try {
    const read = (file: number, stats: Stats) => {
      const problem = ownershipProblem(dataDir, path, stats);
      return problem ? { keys: [], problem } : keyFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    };
    return withFile(path, read, constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { keys: [] };
    const reason = error instanceof z.ZodError ? 'it does not have the expected format' : (error as Error).message;
    return { keys: [], problem: `the key file ${path} cannot be read: ${reason}` };
  }
}

function ownershipProblem(dataDir: string, path: string, stats: Stats): string | undefined {
  const user = process.getuid?.() ?? 0;
  if (!stats.isFile()) return `the key file ${path} is not a regular file`;
  const { uid, mode } = stats;
  if (uid !== user) return `the key file ${path} belongs to another user (uid ${uid})`;
  if (mode & OTHERS_MAY_ANYTHING) return `others may read or write the key file ${path}; run: chmod 600 ${path}`;
  return writersProblem(statSync(dataDir), user, dataDir) ?? undefined;
}

/**
 * Creates a key and stores its hash. A running server accepts it immediately.
 *
 * @param name - Human-readable, 1 to 64 printable characters.
 * @param expires - When the key expires; null if never.
 * @returns The key, which cannot be retrieved again, and its stored record.
 * @throws {TerminalError} `INVALID_INPUT` if the name or the key file cannot be used.
 */
export function createKey(
  dataDir: string,
  name: string,
  expires: Date | null = null,
): { key: string; stored: StoredKey } {
  if (!NAME.test(name)) throw new TerminalError('INVALID_INPUT', 'A key name has 1 to 64 printable characters.');
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  const id = randomBytes(ID_BYTES).toString('hex');
  const times = { created: new Date().toISOString(), expires: expires?.toISOString() ?? null };
  const stored = { id, name, sha256: hashKey(key).toString('hex'), ...times };
  rewrite(dataDir, (keys) => [...keys, stored]);
  return { key, stored };
}

/** Deletes a key, which a running server then rejects immediately. Returns false if there is no key with this id. */
export function revokeKey(dataDir: string, id: string): boolean {
  let found = false;
  rewrite(dataDir, (keys) => {
    const left = keys.filter((key) => key.id !== id);
    found = left.length < keys.length;
    return left;
  });
  return found;
}

/** Replaces the whole file. While it exists, the temporary file serves as a lock against other writers. */
function rewrite(dataDir: string, change: (keys: readonly StoredKey[]) => StoredKey[]): void {
  const path = keyFilePath(dataDir);
  const newPath = `${path}.new`;
  const file = openNew(dataDir, newPath);
  try {
    const { keys, problem } = readKeyFile(dataDir);
    if (problem) throw unchangeable(problem);
    writeFileSync(file, `${JSON.stringify({ version: 1, keys: change(keys) }, null, 2)}\n`);
    fsyncSync(file);
    if (!isAt(newPath, file)) throw unchangeable('another key command has replaced the lock');
    renameSync(newPath, path);
  } catch (cause) {
    // The cause is usually a full disk. The existing keys are unchanged.
    throw cause instanceof TerminalError ? cause : unchangeable((cause as Error).message, cause);
  } finally {
    if (isAt(newPath, file)) rmSync(newPath, { force: true });
    closeSync(file);
  }
}

function openNew(dataDir: string, newPath: string): number {
  try {
    makeDirectory(dataDir);
    const problem = dataDirectoryProblem(dataDir);
    if (problem !== null) throw new Error(problem);
    if (isLeftOver(newPath)) rmSync(newPath, { force: true });
    return openSync(newPath, 'wx', 0o600);
  } catch (cause) {
    const { code, path, message } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST' || path !== newPath) throw unchangeable(message, cause);
    throw unchangeable(`another key command is running; if not, remove ${newPath}`, cause);
  }
}

/**
 * Returns whether the file is so old that a killed command must have left it behind: a key command takes only
 * milliseconds.
 */
function isLeftOver(newPath: string): boolean {
  const stats = statSync(newPath, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > LEFT_OVER_MS;
}

/**
 * Returns whether the path still leads to our file: another process may have considered it abandoned and replaced it.
 */
function isAt(path: string, file: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino;
}

function unchangeable(reason: string, cause?: unknown): TerminalError {
  return new TerminalError('INVALID_INPUT', `Keys cannot be changed: ${reason}.`, {}, { cause });
}
