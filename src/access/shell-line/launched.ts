/**
 * Determines which programs are started by a line, or by a program with its arguments, including those started through
 * `sudo`, `env`, `xargs`, `sh -c` and similar. Does not depend on the rules.
 */
import { ONE } from './found.js';
import type { Dialect } from './dialect.js';
import type { Argument, Assigned, CommandWords, Found } from './found.js';
import { DOUBTFUL_BUILTINS } from './builtins.js';
import { startedByFind } from './find.js';
import { doubtOfBuiltin, namesSetBy, isPassingOn } from './naming-builtins.js';
import { dialectOf, shellOptions } from './shells.js';
import { doubtOfSetting } from './special-variables.js';
import { splitLine } from './split.js';
import { innerCommand, WRAPPERS } from './wrappers.js';

/** One program that is started, or a shell builtin. */
export interface Launched {
  /** As written: a name or a path. */
  readonly program: string;
  readonly args: readonly Argument[];
  /** Whether it only starts another program, which is in the list too. */
  readonly isWrapper: boolean;
  /** The directory in which it starts another program, if different from its own. */
  readonly directory?: Argument;
  /** Whether a shell interprets it, so that names of builtins refer to these. */
  readonly isInShell: boolean;
}

/** Everything known about what will run. */
export interface Reading {
  readonly launched: readonly Launched[];
  /** Variables that are set. */
  readonly assigned: readonly Assigned[];
  /** Why something else could run, in words; empty if that is certain not to happen. */
  readonly doubts: ReadonlySet<string>;
}

const MAX_DEPTH = 12;
const PLAIN = /^[\x21-\x7e]+$/;

/** Returns what a shell runs for this line; `dialect` is null for a shell whose language is unknown. */
export function readShellLine(line: string, dialect: Dialect | null): Reading {
  const reader = new LaunchReader();
  reader.line(line, dialect, 0);
  return reader;
}

/** Returns what runs when a program is started with arguments. */
export function readProgram(program: string, args: readonly string[]): Reading {
  const reader = new LaunchReader();
  reader.command([program, ...args], { dialect: null, isFed: false, depth: 0 });
  return reader;
}

export function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

interface Place {
  /**
   * The dialect of the shell that looks up the program, so that names of builtins refer to these; null: there is no
   * shell.
   */
  readonly dialect: Dialect | null;
  /** Whether its stdin may be something other than a person's terminal. */
  readonly isFed: boolean;
  readonly depth: number;
}

class LaunchReader implements Reading {
  readonly launched: Launched[] = [];
  readonly assigned: Assigned[] = [];
  readonly doubts = new Set<string>();

  line(line: string, dialect: Dialect | null, depth: number): void {
    if (dialect === null) return this.#doubt('a shell whose language is not known');
    const found: Found = splitLine(line, dialect);
    this.assigned.push(...found.assigned);
    for (const doubt of found.doubts) this.#doubt(doubt);
    for (const words of found.commands) this.command(words, { dialect, isFed: true, depth });
  }

  command(words: CommandWords, place: Place): void {
    const [program, ...args] = words;
    if (place.depth > MAX_DEPTH) return this.#doubt('programs that start programs too deep');
    if (typeof program !== 'string' || !PLAIN.test(program)) {
      return this.#doubt('a program whose name only the shell knows');
    }
    const { dialect } = place;
    if (dialect !== null && this.#builtin(program, args, dialect)) return;
    const name = baseName(program);
    const at = this.launched.length;
    const { isWrapper, directory } = this.#inner(name, args, { ...place, depth: place.depth + 1 });
    // Before the programs that it starts, because they start in the directory that it sets.
    this.launched.splice(at, 0, {
      ...{ program, args, isWrapper, isInShell: dialect !== null },
      ...(directory !== undefined && { directory }),
    });
  }

  /** Records the side effects of a builtin. Returns true if it is only a doubt. */
  #builtin(program: string, args: readonly Argument[], dialect: Dialect): boolean {
    if (DOUBTFUL_BUILTINS.has(program)) {
      this.#doubt(`\`${program}\` is not looked into`);
      return true;
    }
    const names = namesSetBy(program, args);
    const isPassedOn = isPassingOn([program, ...args]);
    this.assigned.push(...names.map((name) => ({ name, value: null, isPassedOn })));
    const doubts = [
      doubtOfBuiltin(program, args, dialect),
      ...names.map((name) => doubtOfSetting(name, null, dialect)),
    ];
    for (const doubt of doubts) if (doubt !== null) this.#doubt(doubt);
    return false;
  }

  /** Reads what this program starts. Returns whether that is its only purpose, and in which directory. */
  #inner(name: string, args: readonly Argument[], place: Place): Pick<Launched, 'isWrapper' | 'directory'> {
    const dialect = dialectOf(name);
    if (dialect !== undefined) return { isWrapper: this.#shell(dialect, args, place) };
    if (name === 'find') return this.#find(args, place);
    const wrapper = WRAPPERS[name];
    if (wrapper === undefined || (wrapper.isOfShell === true && place.dialect === null)) return { isWrapper: false };
    const { words, assigned, directory, doubt } = innerCommand(wrapper, args);
    if (doubt !== null) this.#doubt(`\`${name}\` with ${doubt}`);
    this.assigned.push(...assigned);
    if (words.length > 0) this.command(words, { ...place, dialect: wrapper.isOfShell === true ? place.dialect : null });
    return { isWrapper: wrapper.isPlain, ...(directory !== undefined && { directory }) };
  }

  /** Reads the line given to a shell. A shell without a line would run what it reads from stdin. */
  #shell(dialect: Dialect | null, args: readonly Argument[], place: Place): boolean {
    const { line, isFromInput, doubt } = shellOptions(args);
    if (doubt !== null) this.#doubt(doubt);
    if (isFromInput && place.isFed) this.#doubt('a shell that runs what it reads');
    if (line === undefined) return false;
    if (typeof line !== 'string') this.#doubt('a line for a shell that only another shell knows');
    else this.line(line, dialect, place.depth);
    return typeof line === 'string';
  }

  #find(args: readonly Argument[], place: Place): Pick<Launched, 'isWrapper' | 'directory'> {
    const { starts, doubt } = startedByFind(args);
    if (doubt !== null) this.#doubt(`\`find\` with ${doubt}`);
    for (const { words } of starts) this.command(words, { ...place, dialect: null });
    return { isWrapper: false, ...(starts.some(({ isElsewhere }) => isElsewhere) && { directory: ONE }) };
  }

  #doubt(what: string): void {
    this.doubts.add(what);
  }
}
