/**
 * Where a path leads by the kernel: component by component, and `..` is the parent of what a link has led to. A path is no
 * text, and as text it may mean another file. It knows no program.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';

/** As many as the kernel follows. */
export const MAX_LINKS = 40;
/** What lies in there is another place for each process that looks, or another from one moment to the next. */
const OF_PROCESS = /^\/proc\/(?:self|thread-self|\d+)$/;

/**
 * The path without links and `..`. What does not exist is taken by its name.
 *
 * @param path - Absolute.
 * @returns Null where it cannot be known: behind what does not exist there is a `..`, it leads through what is another place
 * for each process (`/proc/self`), or through too many links.
 */
export function kernelPath(path: string): string | null {
  const ahead = partsOf(path);
  let at = '/';
  let isThere = true;
  for (let part = ahead.pop(), links = 0; part !== undefined; part = ahead.pop()) {
    if (part === '..' && !isThere) return null;
    const here = join(at, part);
    if (OF_PROCESS.test(here)) return null;
    const target = part === '..' ? null : targetOf(here);
    if (target !== null && ++links > MAX_LINKS) return null;
    if (target === null) at = here;
    else if (isAbsolute(target)) at = '/';
    ahead.push(...partsOf(target ?? ''));
    isThere &&= target !== null || exists(here);
  }
  return at;
}

/**
 * The file that a path means, its last part not followed: its directory is given as it is written, or as it is where that
 * takes a `..`.
 *
 * @param path - Absolute.
 * @returns Null as `kernelPath`.
 */
export function namedFile(path: string): string | null {
  const plain = path.replace(/(?<=[^/])\/+$/, '');
  const directory = kernelPath(dirname(plain));
  if (directory === null) return null;
  return plain.split('/').includes('..') ? join(directory, basename(plain)) : normalize(plain);
}

/** What a link says; null for all else. */
export function targetOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    // It is none, is not there, or may not be looked at.
    return null;
  }
}

/** The last comes first. */
function partsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .reverse();
}

function exists(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch {
    // It is not there, or may not be looked at.
    return false;
  }
}
