/** Determines which file a program's name refers to, and all names and paths that lead to that file. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isExecutable } from '../../file-access.js';
import { kernelPath, MAX_LINKS, namedFile, targetOf } from './kernel-path.js';

/** A program that a request would start. */
export interface KnownProgram {
  /** The name or path as it was given. */
  readonly word: string;
  /** The given name, and the names of all links and files that it leads to. */
  readonly names: readonly string[];
  /** The paths of those links and files; empty if the program's file was not found. */
  readonly paths: readonly string[];
  /**
   * Whether its file is in a directory of the trusted PATH. Also true for a name without a slash that PATH does not
   * resolve to a file.
   */
  readonly isOnPath: boolean;
  /** Whether the file can be determined at all. */
  readonly isCertain: boolean;
}

export interface LookupContext {
  /** The directory that relative paths are relative to; null if unknown. */
  readonly cwd: string | null;
  /** Colon-separated directories to search for a name. */
  readonly path: string;
  /** Colon-separated directories whose programs are trusted, even if given by full path. */
  readonly trustedPath: string;
}

/** Looks up a program on disk. The result can be outdated a moment later. */
export function lookUpProgram(word: string, place: LookupContext): KnownProgram {
  const own = { word, names: [basename(word)], paths: [] };
  const given = fileOf(word, place);
  // Some shells change to a directory if its path is given as a command.
  if (isDirectory(given ?? `${place.cwd ?? ''}/${word}`)) return { ...own, isOnPath: false, isCertain: false };
  if (given === null) return { ...own, isOnPath: !word.includes('/'), isCertain: true };
  const file = namedFile(given);
  if (file === null || kernelPath(file) === null) return { ...own, isOnPath: false, isCertain: false };
  const paths = pathsOf(file);
  const names = [...new Set([...own.names, ...paths.map((one) => basename(one))])];
  const trusted = place.trustedPath.split(':').filter(isAbsolute).map(realOrSame);
  return { word, names, paths, isOnPath: trusted.includes(realOrSame(dirname(file))), isCertain: true };
}

/**
 * Returns the path of the program as written, because normalising it as text could make it refer to another file.
 * Returns null if there is no such program.
 */
function fileOf(word: string, { cwd, path }: LookupContext): string | null {
  if (isAbsolute(word)) return word;
  if (word.includes('/')) return cwd === null ? null : `${cwd}/${word}`;
  const directories = path.split(':').map((one) => (isAbsolute(one) ? one : `${cwd ?? ''}/${one}`));
  return directories.map((directory) => `${directory}/${word}`).find(isExecutable) ?? null;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // It does not exist, or this user has no permission to examine it.
    return false;
  }
}

/**
 * Follows links one by one. Returns each path twice: with its directory as written, and with its directory resolved.
 */
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
