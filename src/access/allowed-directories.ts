/**
 * Directories in which programs may be started: by what paths really are, and name by name, so that neither a link nor a
 * like beginning leads out. It knows no program.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { invalidInput } from '../errors.js';
import type { TerminalError } from '../errors.js';
import type { Launched } from './shell-line/launched.js';

/** More places a line could come to than any line of sense. */
const MAX_PLACES = 32;
const MOVES = ['cd', 'pushd', 'popd', 'chdir'];

export class AllowedDirectories {
  readonly #allowed: readonly string[];

  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
  }

  /** The first of them. */
  get first(): string {
    return this.#allowed[0]!;
  }

  /** Looks at the disk; what does not exist is in none of them. */
  contains(path: string): boolean {
    const real = realOrNull(path);
    return real !== null && this.#holds(real);
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
   */
  problemOf(launched: readonly Launched[], from: string | null): string | null {
    if (from === null) return 'its directory is not known';
    const places = new Set([from]);
    for (const { program, args, isInShell } of launched) {
      if (!isInShell || !MOVES.includes(program)) continue;
      const targets = args.filter((argument) => argument !== '--');
      const [target] = targets;
      if (targets.length !== 1 || typeof target !== 'string' || !/^[^-+~]/.test(target))
        return `\`${program}\` to where only the shell knows`;
      const outside = this.#move(places, target);
      if (outside !== null) return outside;
    }
    return null;
  }

  /** What does not exist yet may come to be before the shell gets there. */
  #move(places: Set<string>, target: string): string | null {
    if (places.size > MAX_PLACES) return 'it changes directories too often';
    const next = [...places].map((place) => resolve(place, target));
    for (const place of next) {
      if (!this.#holds(realAsFarAsItGoes(place))) return `${place} is outside`;
      places.add(place);
    }
    return null;
  }

  #holds(real: string): boolean {
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
