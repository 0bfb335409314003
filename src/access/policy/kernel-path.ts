/**
 * Resolves a path as the kernel does: component by component, so that `..` after a link leads to the parent of the
 * link's target. Resolved as text, the same path can refer to another file.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';

/** Maximum number of links in a path: the kernel's own limit. */
export const MAX_LINKS = 40;
/** Directories whose paths refer to different files for each process, or can change at any moment. */
const OF_PROCESS = /^\/proc\/(?:self|thread-self|\d+)$/;

/**
 * Returns the path without links and `..`. Components that do not exist are used as written.
 *
 * @param path - Absolute.
 * @returns Null if the path cannot be determined, because `..` follows a component that does not exist, or because the
 * path leads through too many links or through a directory that differs between processes (`/proc/self`).
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
 * Returns the file that a path refers to, without following a link in its last component. The directory part stays as
 * written, or is resolved if the path contains `..`.
 *
 * @param path - Absolute.
 * @returns Null in the same cases as `kernelPath`.
 */
export function namedFile(path: string): string | null {
  const plain = path.replace(/(?<=[^/])\/+$/, '');
  const directory = kernelPath(dirname(plain));
  if (directory === null) return null;
  return plain.split('/').includes('..') ? join(directory, basename(plain)) : normalize(plain);
}

/** Returns the target of a link; null if the file is not a link. */
export function targetOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    // It is not a link, does not exist, or this user has no permission to examine it.
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
    // It does not exist, or this user has no permission to examine it.
    return false;
  }
}
