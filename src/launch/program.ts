/**
 * Finds the file of a program, or explains why the program cannot be executed. Starts nothing; independent of shells
 * and terminals.
 */
import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** Where to search for a program. */
export interface SearchContext {
  /** The directory that relative paths are relative to. */
  readonly cwd: string;
  /** Colon-separated directories. */
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
  return refuse(
    `${quote(program)} is not on PATH${blankHint(program)}`,
    `a path, or the name of a program on PATH (${path})`,
  );
}

/** Resolves a path as the kernel does: `..` after a link leads to the parent of the link's target, not of the link. */
function fileAt(cwd: string, path: string): string {
  const whole = isAbsolute(path) ? path : `${cwd}/${path}`;
  if (!whole.split('/').includes('..')) return resolve(whole);
  try {
    return join(realpathSync.native(dirname(whole)), basename(whole));
  } catch {
    // The directory does not exist, so neither does the file. The path is reported as given.
    return whole;
  }
}

function examine(file: string, given: string): ProgramLookup {
  const stats = statOrNull(file);
  if (!stats) return refuse(`${quote(file)} ${ABSENT}${tildeHint(given)}${blankHint(given)}`, 'the path of a program');
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

/** How much of a script's first line the kernel examines (BINPRM_BUF_SIZE). */
const MAX_SHEBANG_BYTES = 256;

/**
 * Returns the program that the first line of a script names; null for a binary, and for a script whose first line names
 * none.
 */
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
    // This user can execute the file but not read it, so it is not a script.
    return null;
  }
  return /^#![ \t]*([^\s\0]+)/.exec(head.toString('latin1'))?.[1] ?? null;
}

/** Without permission to enter a directory, a path in it cannot be told apart from one that does not exist. */
export const ABSENT = 'does not exist or cannot be reached by this user';

/** Returns a hint for a message about a path that does not exist. */
export function tildeHint(given: string): string {
  return given.startsWith('~') ? ' (~ is not expanded; give the full path)' : '';
}

/** Returns a hint for a message about a program that does not exist, whose name may contain its arguments. */
function blankHint(given: string): string {
  return /\S\s+\S/.test(given) ? ' (arguments are given separately, in `args`; a shell accepts them in one text)' : '';
}

/** Returns whether this user has permission to execute a file or to enter a directory. */
export function isAccessible(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // EACCES, ENOENT or similar. The caller reports the problem.
    return false;
  }
}

export function statOrNull(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    // ENOENT, ENOTDIR or EACCES. To the caller, the file does not exist.
    return null;
  }
}

export function quote(text: string): string {
  return JSON.stringify(text);
}
