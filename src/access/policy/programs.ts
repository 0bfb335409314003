/** Which file the name of a program means, and by which names and paths that goes. It knows no rule, and starts nothing. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { kernelPath, MAX_LINKS, namedFile, targetOf } from './kernel-path.js';

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
  /** Whether it can be told at all which file that is. */
  readonly isCertain: boolean;
}

export interface ProgramPlace {
  /** What relative paths are relative to; null where that is not known. */
  readonly cwd: string | null;
  /** Directories in which a name is looked for, separated by colons. */
  readonly path: string;
  /** Directories, separated by colons, of which the full paths are trusted. */
  readonly trustedPath: string;
}

/** Looks at the disk. What is there may be another a moment later. */
export function lookUp(word: string, place: ProgramPlace): KnownProgram {
  const own = { word, names: [basename(word)], paths: [] };
  const given = fileOf(word, place);
  if (given === null) return { ...own, isOnPath: !word.includes('/'), isCertain: true };
  const file = namedFile(given);
  if (file === null || kernelPath(file) === null) return { ...own, isOnPath: false, isCertain: false };
  const paths = pathsOf(file);
  const names = [...new Set([...own.names, ...paths.map((one) => basename(one))])];
  const trusted = place.trustedPath.split(':').filter(isAbsolute).map(realOrSame);
  return { word, names, paths, isOnPath: trusted.includes(realOrSame(dirname(file))), isCertain: true };
}

/** As it is written: made shorter as text it could be another one. */
function fileOf(word: string, { cwd, path }: ProgramPlace): string | null {
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
    at = behind(at);
  }
  paths.add(realOrSame(file));
  return [...paths];
}

/** What a link leads to, seen from where the link really is. */
function behind(link: string): string | null {
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
