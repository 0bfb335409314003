/** Determines which file a program's name refers to, and all names and paths of that file. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { kernelPath, MAX_LINKS, namedFile, targetOf } from './kernel-path.js';

/** A program to be started. */
export interface KnownProgram {
  /** As it was given. */
  readonly word: string;
  /** The name by which it was given, and those of the link targets. */
  readonly names: readonly string[];
  /** The corresponding paths; none if there is no such file. */
  readonly paths: readonly string[];
  /** Whether it is in a directory of the trusted PATH. Also true for a bare name without such a file. */
  readonly isOnPath: boolean;
  /** Whether the file can be determined at all. */
  readonly isCertain: boolean;
}

export interface LookupContext {
  /** The base of relative paths; null if unknown. */
  readonly cwd: string | null;
  /** Directories searched for a name, separated by colons. */
  readonly path: string;
  /** Directories, separated by colons, whose full paths are trusted. */
  readonly trustedPath: string;
}

/** Reads the disk. The result may be outdated a moment later. */
export function lookUpProgram(word: string, place: LookupContext): KnownProgram {
  const own = { word, names: [basename(word)], paths: [] };
  const given = fileOf(word, place);
  // Some shells change to a directory that is given as a command.
  if (isDirectory(given ?? `${place.cwd ?? ''}/${word}`)) return { ...own, isOnPath: false, isCertain: false };
  if (given === null) return { ...own, isOnPath: !word.includes('/'), isCertain: true };
  const file = namedFile(given);
  if (file === null || kernelPath(file) === null) return { ...own, isOnPath: false, isCertain: false };
  const paths = pathsOf(file);
  const names = [...new Set([...own.names, ...paths.map((one) => basename(one))])];
  const trusted = place.trustedPath.split(':').filter(isAbsolute).map(realOrSame);
  return { word, names, paths, isOnPath: trusted.includes(realOrSame(dirname(file))), isCertain: true };
}

/** Returns the path as written: normalizing it as text could make it refer to another file. */
function fileOf(word: string, { cwd, path }: LookupContext): string | null {
  if (isAbsolute(word)) return word;
  if (word.includes('/')) return cwd === null ? null : `${cwd}/${word}`;
  const directories = path.split(':').map((one) => (isAbsolute(one) ? one : `${cwd ?? ''}/${one}`));
  return directories.map((directory) => `${directory}/${word}`).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // It does not exist, or is not executable.
    return false;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // It does not exist or is not accessible.
    return false;
  }
}

/** Follows links one by one. Each path is returned with its directory both as written and resolved. */
function pathsOf(file: string): string[] {
  const paths = new Set<string>();
  let at: string | null = file;
  for (let links = 0; at !== null && links < MAX_LINKS; links++) {
    paths.add(at);
    paths.add(join(realOrSame(dirname(at)), basename(at)));
    at = linkTarget(at);
  }
  paths.add(realOrSame(file));
  return [...paths];
}

/** Returns the target of a link, relative to the link's resolved directory. */
function linkTarget(link: string): string | null {
  const target = targetOf(link);
  if (target === null) return null;
  return namedFile(isAbsolute(target) ? target : `${realOrSame(dirname(link))}/${target}`);
}

function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
