/**
 * Finds a program's file or explains why the program cannot be executed. Starts nothing; independent of shells and
 * terminals.
 */
import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** Where to search for a program. */
export interface SearchContext {
  /** The base of relative paths. */
  readonly cwd: string;
  /** Directories, separated by colons. */
  readonly path: string;
}

/** Why a program cannot be started, and what would be accepted. */
export interface StartRefusal {
  readonly message: string;
  readonly expected: string;
}

export type ProgramLookup = { readonly file: string } | { readonly refusal: StartRefusal };

/** Finds a program by its path, or by a name without a slash on PATH. */
export function findProgram(program: string, { cwd, path }: SearchContext): ProgramLookup {
  if (program.includes('/')) return examine(fileAt(cwd, program), program);
  const files = path.split(':').map((one) => fileAt(cwd, one === '' ? program : `${one}/${program}`));
  const results = files.filter((file) => statOrNull(file)?.isFile()).map((file) => examine(file, program));
  const best = results.find((found) => 'file' in found) ?? results[0];
  if (best) return best;
  return refuse(`${quote(program)} is not on PATH`, `a path, or the name of a program on PATH (${path})`);
}

/** Resolves a path as the kernel does: `..` after a link means the parent of the link's target, not of the link. */
function fileAt(cwd: string, path: string): string {
  const whole = isAbsolute(path) ? path : `${cwd}/${path}`;
  if (!whole.split('/').includes('..')) return resolve(whole);
  try {
    return join(realpathSync.native(dirname(whole)), basename(whole));
  } catch {
    // The directory does not exist, so neither does the file; report it as given.
    return whole;
  }
}

function examine(file: string, given: string): ProgramLookup {
  const stats = statOrNull(file);
  if (!stats) return refuse(`${quote(file)} ${ABSENT}${tildeHint(given)}`, 'the path of a program');
  if (stats.isDirectory()) return refuse(`${quote(file)} is a directory`, 'the path of a program');
  if (!stats.isFile()) return refuse(`${quote(file)} is not a regular file`, 'the path of a program');
  if (!isAccessible(file)) {
    return refuse(`${quote(file)} is not executable by this user`, 'an executable file (chmod +x)');
  }
  const interpreter = interpreterOf(file);
  if (interpreter === null || isAccessible(interpreter)) return { file };
  const message = `${quote(file)} needs the interpreter ${quote(interpreter)} (its #! line), which cannot be run`;
  return refuse(message, 'a program whose interpreter is installed');
}

function refuse(message: string, expected: string): ProgramLookup {
  return { refusal: { message, expected } };
}

/** Longest first line that the kernel examines (BINPRM_BUF_SIZE). */
const MAX_SHEBANG_BYTES = 256;

/** Returns the program named in the first line of a script; null for a binary and for a script that names none. */
function interpreterOf(file: string): string | null {
  const head = Buffer.alloc(MAX_SHEBANG_BYTES);
  try {
    const fd = openSync(file, 'r');
    try {
      readSync(fd, head);
    } finally {
      closeSync(fd);
    }
  } catch {
    // It may be executed but not read, so it is not a script.
    return null;
  }
  return /^#![ \t]*([^\s\0]+)/.exec(head.toString('latin1'))?.[1] ?? null;
}

/** A path in a directory that may not be entered cannot be distinguished from one that does not exist. */
export const ABSENT = 'does not exist or cannot be reached by this user';

/** Returns a hint for a message about a path that does not exist. */
export function tildeHint(given: string): string {
  return given.startsWith('~') ? ' (~ is not expanded; give the full path)' : '';
}

/** Returns whether this user may execute a file or enter a directory. */
export function isAccessible(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // EACCES or ENOENT: the caller reports which.
    return false;
  }
}

export function statOrNull(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    // ENOENT, ENOTDIR, EACCES: to the caller, the file does not exist.
    return null;
  }
}

export function quote(text: string): string {
  return JSON.stringify(text);
}
