/**
 * Directories in which programs may be started: by what paths really are, and name by name, so that neither a link nor a
 * like beginning leads out. It knows no program.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { invalidInput } from '../../errors.js';
import type { TerminalError } from '../../errors.js';
import { kernelPath } from './kernel-path.js';
import type { Launched } from '../shell-line/launched.js';

/** More places a line could come to than any line of sense. */
const MAX_PLACES = 32;
/** Shells tell of no other directory by its own name for it. */
const TELLABLE = /^[^\p{Cc}]{0,200}$/u;
const MOVES = ['cd', 'pushd', 'popd', 'chdir'];

/** Whether it is started, or goes, elsewhere than where the line begins. */
export function isMoving({ program, isInShell, directory }: Launched): boolean {
  return directory !== undefined || (isInShell && MOVES.includes(program));
}

export class AllowedDirectories {
  readonly #allowed: readonly string[];

  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
  }

  /** The first of them. */
  get first(): string {
    return this.#allowed[0]!;
  }

  /** Looks at the disk; what does not exist is in none of them. Whoever goes there may take it as a text, or as the kernel. */
  contains(path: string): boolean {
    return [kernelPath(path), kernelPath(resolve(path))].every((real) => {
      return real !== null && realOrNull(real) !== null && this.#holds(real);
    });
  }

  refusal(cwd: string): TerminalError {
    return invalidInput({
      field: 'cwd',
      message: `${JSON.stringify(cwd)} does not exist in a directory that the policy allows`,
      given: cwd,
      expected: `a directory in ${this.#allowed.join(' or ')}`,
    });
  }

  /**
   * Why a line could leave them, in words: where it goes by `cd` and its like, each taken in any order. Null if it stays.
   *
   * @param from - Where it begins, in one of them; null where that is not known.
   * @param called - What the shell calls that, where it came there by a link: `..` may lead back out of it.
   */
  problemOf(launched: readonly Launched[], from: string | null, called: string | null = null): string | null {
    if (from === null) return 'its directory is not known';
    const isSame = called !== null && isAbsolute(called) && kernelPath(called) === kernelPath(from);
    const places = new Set(isSame ? [from, called] : [from]);
    for (const { program, args, directory } of launched.filter(isMoving)) {
      const targets = directory === undefined ? args.filter((argument) => argument !== '--') : [directory];
      const [target] = targets;
      if (targets.length !== 1 || typeof target !== 'string' || !/^[^-+~]/.test(target))
        return `\`${program}\` to where only the shell knows`;
      const outside = this.#move(places, target);
      if (outside !== null) return outside;
    }
    return null;
  }

  /**
   * Shells take `..` as a text, the kernel as the parent of what a link leads to, and some shells can be told to: both ways
   * are gone. What does not exist yet may come to be before the shell gets there.
   */
  #move(places: Set<string>, target: string): string | null {
    if (places.size > MAX_PLACES) return 'it changes directories too often';
    for (const place of [...places]) {
      const asText = resolve(place, target);
      const byKernel = kernelPath(isAbsolute(target) ? target : `${place}/${target}`);
      const real = kernelPath(asText);
      if (byKernel === null || real === null) return `where ${target} leads cannot be told`;
      if (!this.#holds(real)) return `${asText} is outside`;
      if (!this.#holds(byKernel)) return `${byKernel} is outside`;
      if (asText !== real && !TELLABLE.test(asText)) return `${asText} is a link with too long a name`;
      places.add(asText).add(byKernel);
    }
    return null;
  }

  /** @param path - Without links, as the kernel has it. */
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

/** What of it does not exist is taken by its name. */
function realAsFarAsItGoes(path: string): string {
  return realOrNull(path) ?? join(realAsFarAsItGoes(dirname(path)), basename(path));
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    // It does not exist, or may not be looked at.
    return null;
  }
}
