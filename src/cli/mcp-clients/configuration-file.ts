/**
 * Reads and replaces a client's configuration file. Reads it as UTF-8, keeps a backup next to it, and replaces it as a
 * whole, preserving its mode and, where permitted, its owner. Follows symbolic links. Does not interpret the content.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '../../directory.js';
import { TerminalError } from '../../errors.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const CREATE_FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
const ANYBODY_MAY_WRITE = 0o222;
const PRIVATE = 0o600;
const SHARED = 0o644;
const BACKUP = '.tenacitty-backup-';
/** Maximum number of backups that are read. Further ones are too old to be useful. */
const MAX_BACKUPS_READ = 20;
const BYTE_ORDER_MARK = '\uFEFF';

export interface ConfigurationFile {
  /** The path, with links resolved. */
  readonly path: string;
  /** Null if the file does not exist yet. */
  readonly text: string | null;
  /** Whether the file begins with a byte order mark. */
  readonly isMarked: boolean;
  readonly stats: Stats | null;
}

/**
 * Reads the file.
 *
 * @throws `INVALID_INPUT` if it is not a regular file, not writable, or not UTF-8; `READ_FAILED` with the system's
 *   message.
 */
export function readConfiguration(path: string): ConfigurationFile {
  const stats = reading(path, () => statSync(path, { throwIfNoEntry: false }) ?? null);
  if (stats === null) return { path: newPath(path), text: null, isMarked: false, stats };
  if (!stats.isFile()) throw refusal(path, 'is not a file');
  if ((stats.mode & ANYBODY_MAY_WRITE) === 0) {
    throw refusal(path, 'is read-only; change it in the system that manages it (Nix, an administrator?)');
  }
  return { path: realpathSync(path), stats, ...textIn(path) };
}

function newPath(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })) throw refusal(path, 'is a link whose target does not exist');
  return path;
}

function textIn(path: string): Pick<ConfigurationFile, 'text' | 'isMarked'> {
  const decoded = decode(
    path,
    reading(path, () => readFileSync(path)),
  );
  const isMarked = decoded.startsWith(BYTE_ORDER_MARK);
  return { text: isMarked ? decoded.slice(1) : decoded, isMarked };
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refusal(path, 'is not valid UTF-8', cause);
  }
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new TerminalError('READ_FAILED', `${path} cannot be read: ${(cause as Error).message}`, {}, { cause });
  }
}

/** Returns the content of the backups that earlier calls made of this file, newest first. Skips unreadable ones. */
export function backupsOf({ path, text }: ConfigurationFile): readonly string[] {
  if (text === null) return [];
  const beginning = basename(path) + BACKUP;
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(beginning));
  const newest = names.sort().reverse().slice(0, MAX_BACKUPS_READ);
  return newest.flatMap((name) => {
    try {
      return textIn(join(dirname(path), name)).text ?? [];
    } catch {
      return [];
    }
  });
}

/**
 * Replaces the file's content, or removes the file if `text` is null. Makes a backup first.
 *
 * @param isShared - Whether a new file should be readable by other users, as a project's file is.
 * @returns The path of the backup; null if there was no file.
 * @throws `WRITE_FAILED` with the system's message, or if the file has changed since it was read. In both cases, the
 * file is left unchanged.
 */
export function replaceConfiguration(file: ConfigurationFile, text: string | null, isShared: boolean): string | null {
  try {
    refuseIfChanged(file);
    const backup = file.text === null ? null : keep(file);
    if (text === null) rmSync(file.path);
    else write(file, text, isShared);
    return backup;
  } catch (cause) {
    if (cause instanceof TerminalError) throw cause;
    throw new TerminalError(
      'WRITE_FAILED',
      `${file.path} cannot be written: ${(cause as Error).message}`,
      {},
      { cause },
    );
  }
}

function keep(file: ConfigurationFile): string {
  for (let time = Date.now(); ; time++) {
    const path = `${file.path}${BACKUP}${new Date(time).toISOString().replaceAll(/[-:.]/g, '')}`;
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    writeNew(path, contentOf(file, file.text!), file.stats, PRIVATE);
    return path;
  }
}

function write(file: ConfigurationFile, text: string, isShared: boolean): void {
  makeRoom(dirname(file.path), isShared);
  const aside = `${file.path}.tenacitty-${process.pid}`;
  try {
    writeNew(aside, contentOf(file, text), file.stats, isShared ? SHARED : PRIVATE);
    refuseIfChanged(file);
    renameSync(aside, file.path);
  } finally {
    rmSync(aside, { force: true });
  }
}

function makeRoom(directory: string, isShared: boolean): void {
  if (!isShared) makeDirectory(directory);
  else if (!existsSync(directory)) mkdirSync(directory);
}

function contentOf({ isMarked }: ConfigurationFile, text: string): string {
  return isMarked ? BYTE_ORDER_MARK + text : text;
}

/** Writes a file with the mode and, where permitted, the owner of the file it replaces. */
function writeNew(path: string, content: string, like: Stats | null, mode: number): void {
  const file = openSync(path, CREATE_FLAGS, PRIVATE);
  try {
    writeFileSync(file, content);
    if (like !== null) own(file, like);
    fchmodSync(file, like === null ? mode : like.mode & 0o7777);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function own(file: number, { uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch {
    // Only root can change a file's owner. If the file belongs to another user, this user becomes the owner of the new
    // file.
  }
}

/** Throws if the file has changed since it was read, because clients also write to their files. */
function refuseIfChanged(file: ConfigurationFile): void {
  const now = statSync(file.path, { throwIfNoEntry: false }) ? textIn(file.path) : { text: null, isMarked: false };
  if (now.text === file.text && now.isMarked === file.isMarked) return;
  throw new TerminalError('WRITE_FAILED', `Another program has just changed ${file.path}. Try again.`);
}

function refusal(path: string, why: string, cause: unknown = new Error(why)): TerminalError {
  return new TerminalError('INVALID_INPUT', `${path} ${why}. Nothing was changed.`, {}, { cause });
}
