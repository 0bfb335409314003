/** Which file the name of a program means, and by which names and paths that goes. It knows no rule, and starts nothing. */
import { accessSync, constants, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** A program that is to be started. */
export interface KnownProgram {
  /** As it was given. */
  readonly word: string;
  /** The name it was given by, and those of what that is a link to. */
  readonly names: readonly string[];
  /** The paths of these; none where there is no such file. */
  readonly paths: readonly string[];
  /** Whether it lies in a directory of the PATH that is trusted; also where there is no such file. */
  readonly isOnPath: boolean;
}

/** As many as the kernel follows. */
const MAX_LINKS = 40;

export interface ProgramPlace {
  /** What relative paths are relative to; null where that is not known. */
  readonly cwd: string | null;
  /** Directories in which a name is looked for, separated by colons. */
  readonly path: string;
  /** Directories, separated by colons, of which the full paths are trusted. */
  readonly trustedPath: string;
}

/** Looks at the disk. What is there may be another a moment later. */
export function lookUp(word: string, { cwd, path, trustedPath }: ProgramPlace): KnownProgram {
  const file = fileOf(word, cwd, path);
  if (file === null) return { word, names: [basename(word)], paths: [], isOnPath: !word.includes('/') };
  const paths = pathsOf(file);
  const names = [...new Set([basename(word), ...paths.map((one) => basename(one))])];
  const trusted = trustedPath.split(':').filter(isAbsolute).map(realOrSame);
  return { word, names, paths, isOnPath: trusted.includes(realOrSame(dirname(file))) };
}

function fileOf(word: string, cwd: string | null, path: string): string | null {
  if (isAbsolute(word)) return resolve(word);
  if (word.includes('/')) return cwd === null ? null : resolve(cwd, word);
  const candidates = path
    .split(':')
    .map((directory) => (isAbsolute(directory) ? directory : resolve(cwd ?? '/', directory)));
  return candidates.map((directory) => join(directory, word)).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // It is not there, or not to be executed.
    return false;
  }
}

/** From link to link, each with the directory as it is and as it really is. */
function pathsOf(file: string): string[] {
  const paths = new Set<string>();
  let at: string | null = file;
  for (let links = 0; at !== null && links < MAX_LINKS; links++) {
    paths.add(at);
    paths.add(join(realOrSame(dirname(at)), basename(at)));
    at = targetOf(at);
  }
  paths.add(realOrSame(file));
  return [...paths];
}

function targetOf(file: string): string | null {
  try {
    return lstatSync(file).isSymbolicLink() ? resolve(realOrSame(dirname(file)), readlinkSync(file)) : null;
  } catch {
    // There is nothing there.
    return null;
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
