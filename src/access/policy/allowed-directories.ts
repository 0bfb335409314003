/**
 * Decides in which directories programs may be started. Compares resolved paths component by component, so that neither
 * a link nor a common prefix leads outside.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { invalidInput } from '../../errors.js';
import type { TerminalError } from '../../errors.js';
import { kernelPath } from './kernel-path.js';
import type { LaunchedProgram } from '../shell-line/line-analysis.js';

/** Maximum number of possible directories: more than any sensible line can reach. */
const MAX_PLACES = 32;
/** Shell integration reports the shell's own name for a directory only if it matches this. */
const REPORTABLE = /^[^\p{Cc}]{0,200}$/u;

/** Returns whether a command changes the directory in which the rest of the line may run. */
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
   * Checks the disk; a path that does not exist is not contained. Whether the path is resolved as text or by the
   * kernel, it must lead inside.
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
   * Returns why a line could leave the allowed directories by `cd` and similar commands, in any order, or null if it
   * cannot.
   *
   * @param from - Where it starts, in one of the allowed directories; null if unknown.
   * @param called - The shell's own name for that directory if it was entered through a link: `..` may then lead
   * elsewhere.
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
   * Adds the directories reachable by a target. Shells resolve `..` as text, the kernel as the parent of a link's
   * target, and some shells can be switched, so both are followed. A directory that does not exist yet may be created
   * before the shell gets there.
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

  /** Returns whether a path is allowed. @param path - Without links, as resolved by the kernel. */
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

/** Resolves a path; components that do not exist are used as written. */
function realAsFarAsItGoes(path: string): string {
  return realOrNull(path) ?? join(realAsFarAsItGoes(dirname(path)), basename(path));
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    // It does not exist, or may not be examined.
    return null;
  }
}
