/**
 * Finds the file that a program's name means, and says why it cannot be executed when it cannot. It starts
 * nothing, and knows neither shells nor terminals.
 */
import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** Where a program is looked for. */
export interface SearchPlace {
  /** What relative paths are relative to. */
  readonly cwd: string;
  /** Directories, separated by colons. */
  readonly path: string;
}

/** Why a program cannot be started, and what would do instead. */
export interface Refusal {
  readonly message: string;
  readonly expected: string;
}

export type Found = { readonly file: string } | { readonly refusal: Refusal };

/** Finds a program by its path, or by a name without a slash on PATH. */
export function findProgram(program: string, { cwd, path }: SearchPlace): Found {
  if (program.includes('/')) return examine(fileAt(cwd, program), program);
  const files = path.split(':').map((one) => fileAt(cwd, one === '' ? program : `${one}/${program}`));
  const results = files.filter((file) => statOrNull(file)?.isFile()).map((file) => examine(file, program));
  const best = results.find((found) => 'file' in found) ?? results[0];
  if (best) return best;
  return refuse(`${quote(program)} was not found on PATH`, `a path, or the name of a program on PATH (${path})`);
}

/** As the kernel takes a path: `..` is the parent of what a link leads to, and not of the link. */
function fileAt(cwd: string, path: string): string {
  const whole = isAbsolute(path) ? path : `${cwd}/${path}`;
  if (!whole.split('/').includes('..')) return resolve(whole);
  try {
    return join(realpathSync.native(dirname(whole)), basename(whole));
  } catch {
    // There is no such directory, so there is no such file: it is named as it was given.
    return whole;
  }
}

function examine(file: string, given: string): Found {
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

function refuse(message: string, expected: string): Found {
  return { refusal: { message, expected } };
}

/** Longest first line the kernel looks at (BINPRM_BUF_SIZE). */
const MAX_SHEBANG_BYTES = 256;

/** The program that a script names in its first line; null for a binary, and for a script that names none. */
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
    // It may be executed but not read: then it is no script.
    return null;
  }
  return /^#![ \t]*([^\s\0]+)/.exec(head.toString('latin1'))?.[1] ?? null;
}

/** A path in a directory that may not be entered cannot be told from one that does not exist. */
export const ABSENT = 'does not exist or cannot be reached by this user';

/** For a message about a path that does not exist. */
export function tildeHint(given: string): string {
  return given.startsWith('~') ? ' (~ is not expanded here; give the full path)' : '';
}

/** Whether this user may execute a file, or enter a directory. */
export function isAccessible(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // EACCES or ENOENT: the caller says which it is.
    return false;
  }
}

export function statOrNull(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    // ENOENT, ENOTDIR, EACCES: for the caller there is nothing there.
    return null;
  }
}

export function quote(text: string): string {
  return JSON.stringify(text);
}
