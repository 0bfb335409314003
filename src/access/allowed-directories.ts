/**
 * Directories in which programs may be started: by what paths really are, and name by name, so that neither a link nor a
 * like beginning leads out. It knows no program.
 */
import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { invalidInput } from '../errors.js';
import type { TerminalError } from '../errors.js';
import type { Launched } from './shell-line/launched.js';

/** More places a line could come to than any line of sense. */
const MAX_PLACES = 32;
/** As many as the kernel follows. */
const MAX_LINKS = 40;
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

  /** Looks at the disk; what does not exist is in none of them. */
  contains(path: string): boolean {
    const real = realOrNull(path);
    return real !== null && this.#holds(real) && !leadsThroughProcess(path);
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

  /** What does not exist yet may come to be before the shell gets there. */
  #move(places: Set<string>, target: string): string | null {
    if (places.size > MAX_PLACES) return 'it changes directories too often';
    const next = [...places].map((place) => resolve(place, target));
    for (const place of next) {
      if (!this.#holds(realAsFarAsItGoes(place)) || leadsThroughProcess(place)) return `${place} is outside`;
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

/** Whether it is another place for each process that looks, as `/proc/self/cwd` is, and what is a link to that. */
function leadsThroughProcess(path: string, links = 0): boolean {
  const parts = path.split('/').filter(Boolean);
  for (const [at, part] of parts.entries()) {
    const parent = `/${parts.slice(0, at).join('/')}`;
    const here = join(parent, part);
    if (links > MAX_LINKS || /^\/proc\/(?:self|thread-self)$/.test(here)) return true;
    const target = linkOrNull(here);
    if (target === null) continue;
    return leadsThroughProcess(join(resolve(parent, target), ...parts.slice(at + 1)), links + 1);
  }
  return false;
}

function linkOrNull(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    // It is none, or is not there.
    return null;
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    // It does not exist, or may not be looked at.
    return null;
  }
}
