/**
 * Resolves a path as the kernel does: component by component, with `..` as the parent of a link's target. Resolved as
 * text, the same path may refer to another file.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';

/** The kernel's own limit. */
export const MAX_LINKS = 40;
/** Paths inside these refer to different files for each process, or change from one moment to the next. */
const OF_PROCESS = /^\/proc\/(?:self|thread-self|\d+)$/;

/**
 * Returns the path without links and `..`. Components that do not exist are used as written.
 *
 * @param path - Absolute.
 * @returns Null if it cannot be determined: `..` follows a component that does not exist, or the path leads through a
 * directory that differs for each process (`/proc/self`), or through too many links.
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
 * Returns the file that a path refers to, without following its last component. Its directory is returned as written
 * or, if the path contains `..`, resolved.
 *
 * @param path - Absolute.
 * @returns Null as for `kernelPath`.
 */
export function namedFile(path: string): string | null {
  const plain = path.replace(/(?<=[^/])\/+$/, '');
  const directory = kernelPath(dirname(plain));
  if (directory === null) return null;
  return plain.split('/').includes('..') ? join(directory, basename(plain)) : normalize(plain);
}

/** Returns the target of a link; null for anything else. */
export function targetOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    // It is not a link, does not exist, or may not be examined.
    return null;
  }
}

/** Returns the components in reverse order. */
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
    // It does not exist, or may not be examined.
    return false;
  }
}
