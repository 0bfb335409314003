/**
 * Decides which directories programs can be started in. Compares resolved paths component by component, so that neither
 * a link nor a common prefix leads outside.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { invalidInput } from '../../errors.js';
import type { TerminalError } from '../../errors.js';
import { kernelPath } from './kernel-path.js';
import type { LaunchedProgram } from '../shell-line/line-analysis.js';

/** Maximum number of directories that a line can possibly reach: more than any sensible line does. */
const MAX_PLACES = 32;
/** Shell integration reports the shell's own path of a directory only if the path matches this. */
const REPORTABLE = /^[^\p{Cc}]{0,200}$/u;

/** Returns whether a command changes the directory that the rest of the line runs in. */
export function changesDirectory({ program, isInShell }: LaunchedProgram): boolean {
  return isInShell && program === 'cd';
}

export class AllowedDirectories {
  readonly #allowed: readonly string[];

  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
  }

  /** The first allowed directory. */
  get first(): string {
    return this.#allowed[0]!;
  }

  /**
   * Returns whether a path is in an allowed directory, both when it is resolved as text and as the kernel resolves it.
   * Reads the disk: a path that does not exist is not contained.
   */
  contains(path: string): boolean {
    return [kernelPath(path), kernelPath(resolve(path))].every((real) => {
      return real !== null && realOrNull(real) !== null && this.#holds(real);
    });
  }

  refusal(cwd: string): TerminalError {
    return invalidInput({
      field: 'cwd',
      message: `${JSON.stringify(cwd)} is not an existing directory that the policy allows`,
      given: cwd,
      expected: `a directory in ${this.#allowed.join(' or ')}`,
    });
  }

  /**
   * Returns why a line could leave the allowed directories through its `cd` commands, in whatever order they run; null
   * if it cannot.
   *
   * @param from - The directory that the line starts in, which is allowed; null if unknown.
   * @param called - The shell's own path of that directory if the shell entered it through a link, because `..` may
   * then lead elsewhere; otherwise null.
   */
  problemOf(launched: readonly LaunchedProgram[], from: string | null, called: string | null = null): string | null {
    if (from === null) return 'its directory is unknown';
    const isSame = called !== null && isAbsolute(called) && kernelPath(called) === kernelPath(from);
    const places = new Set(isSame ? [from, called] : [from]);
    for (const { program, args } of launched.filter(changesDirectory)) {
      const targets = args.filter((argument) => argument !== '--');
      const [target] = targets;
      if (targets.length !== 1 || typeof target !== 'string' || !/^[^-+~]/.test(target))
        return `the target of \`${program}\` is known only to the shell`;
      const outside = this.#move(places, target);
      if (outside !== null) return outside;
    }
    return null;
  }

  /**
   * Adds the directories that a target can lead to from the places so far. Returns why one of them is not allowed, or
   * null. Shells resolve `..` as text, the kernel resolves it as the parent of a link's target, and some shells can do
   * either, so this follows both. A directory that does not exist is followed too, because it may be created before the
   * shell gets there.
   */
  #move(places: Set<string>, target: string): string | null {
    if (places.size > MAX_PLACES) return 'it changes directories too often';
    for (const place of [...places]) {
      const asText = resolve(place, target);
      const byKernel = kernelPath(isAbsolute(target) ? target : `${place}/${target}`);
      const real = kernelPath(asText);
      if (byKernel === null || real === null) return `the target of ${target} cannot be determined`;
      if (!this.#holds(real)) return `${asText} is outside the allowed directories`;
      if (!this.#holds(byKernel)) return `${byKernel} is outside the allowed directories`;
      if (asText !== real && !REPORTABLE.test(asText)) return `${asText} is a link whose name is too long`;
      places.add(asText).add(byKernel);
    }
    return null;
  }

  /** Returns whether a path is in an allowed directory. @param path - Without links, as resolved by the kernel. */
  #holds(path: string): boolean {
    const real = realAsFarAsItGoes(path);
    return this.#allowed.some((allowed) => isWithin(real, realOrNull(allowed)));
  }
}

function isWithin(path: string, directory: string | null): boolean {
  if (directory === null) return false;
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !way.startsWith('/'));
}

/** Resolves a path as far as it exists, and keeps the remaining components as written. */
function realAsFarAsItGoes(path: string): string {
  return realOrNull(path) ?? join(realAsFarAsItGoes(dirname(path)), basename(path));
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    // It does not exist, or this user has no permission to examine it.
    return null;
  }
}
