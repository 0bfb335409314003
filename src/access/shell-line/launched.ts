/**
 * Which programs are started by what was found in a line, or by a program with its arguments: those behind `sudo`, `env`,
 * `xargs`, `sh -c` and their like too. It knows no rule.
 */
import { ONE } from './found.js';
import type { Argument, CommandWords, Dialect, Found } from './found.js';
import { DOUBTFUL_BUILTINS, doubtOfBuiltin, namesSetBy } from './builtins.js';
import { dialectOf, shellOptions } from './shells.js';
import { splitLine } from './split.js';
import { innerCommand, WRAPPERS } from './wrappers.js';

/** One program that is started, or a command of the shell's own. */
export interface Launched {
  /** As it stands there: a name, or a path. */
  readonly program: string;
  readonly args: readonly Argument[];
  /** Whether it only starts another, which is among the launched too. */
  readonly isWrapper: boolean;
  /** Whether a shell reads it, so that names of the shell's own commands mean those. */
  readonly isInShell: boolean;
}

/** All that is known of what will be run. */
export interface Reading {
  readonly launched: readonly Launched[];
  /** Variables that are set on the way. */
  readonly assigned: ReadonlySet<string>;
  /** Why something else could be run, in words; none where that is known. */
  readonly doubts: ReadonlySet<string>;
}

const MAX_DEPTH = 12;
const PLAIN = /^[\x21-\x7e]+$/;
const FIND_STARTS = ['-exec', '-execdir', '-ok', '-okdir'];

/** What a shell runs when it is given this line; null for a shell whose language is not known. */
export function readShellLine(line: string, dialect: Dialect | null): Reading {
  const reader = new LaunchReader();
  reader.line(line, dialect, 0);
  return reader;
}

/** What is run when a program is started with arguments. */
export function readProgram(program: string, args: readonly string[]): Reading {
  const reader = new LaunchReader();
  reader.command([program, ...args], { isInShell: false, isFed: false, depth: 0 });
  return reader;
}

export function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

interface Place {
  /** Whether a shell looks the program up itself, so that names of its own commands mean those. */
  readonly isInShell: boolean;
  /** Whether it may have something else than a person's terminal as its stdin. */
  readonly isFed: boolean;
  readonly depth: number;
}

class LaunchReader implements Reading {
  readonly launched: Launched[] = [];
  readonly assigned = new Set<string>();
  readonly doubts = new Set<string>();

  line(line: string, dialect: Dialect | null, depth: number): void {
    if (dialect === null) return this.#doubt('a shell whose language is not known');
    const found: Found = splitLine(line, dialect);
    for (const name of found.assigned) this.assigned.add(name);
    for (const doubt of found.doubts) this.#doubt(doubt);
    for (const words of found.commands) this.command(words, { isInShell: true, isFed: true, depth });
  }

  command(words: CommandWords, place: Place): void {
    const [program, ...args] = words;
    if (place.depth > MAX_DEPTH) return this.#doubt('programs that start programs too deep');
    if (typeof program !== 'string' || !PLAIN.test(program)) {
      return this.#doubt('a program whose name only the shell knows');
    }
    if (place.isInShell && this.#builtin(program, args)) return;
    const name = baseName(program);
    const isWrapper = this.#inner(name, args, { ...place, depth: place.depth + 1 });
    this.launched.push({ program, args, isWrapper, isInShell: place.isInShell });
  }

  /** What a command of the shell's own does beside what it says; true where it is nothing else than a doubt. */
  #builtin(program: string, args: readonly Argument[]): boolean {
    if (DOUBTFUL_BUILTINS.has(program)) {
      this.#doubt(`\`${program}\` is not looked into`);
      return true;
    }
    const doubt = doubtOfBuiltin(program, args);
    if (doubt !== null) this.#doubt(doubt);
    for (const name of namesSetBy(program, args)) this.assigned.add(name);
    return false;
  }

  /** Reads what this program starts; whether that is all it is for. */
  #inner(name: string, args: readonly Argument[], place: Place): boolean {
    const dialect = dialectOf(name);
    if (dialect !== undefined) return this.#shell(dialect, args, place);
    if (name === 'find') this.#find(args, place);
    const wrapper = WRAPPERS[name];
    if (wrapper === undefined || (wrapper.isOfShell === true && !place.isInShell)) return false;
    const { words, assigned, doubt } = innerCommand(wrapper, args);
    if (doubt !== null) this.#doubt(`\`${name}\` with ${doubt}`);
    for (const variable of assigned) this.assigned.add(variable);
    if (words.length > 0) this.command(words, { ...place, isInShell: place.isInShell && wrapper.isOfShell === true });
    return wrapper.isPlain;
  }

  /** A shell with a line of its own is read on; one that is given nothing would run what it reads. */
  #shell(dialect: Dialect | null, args: readonly Argument[], place: Place): boolean {
    const { line, isFromInput, doubt } = shellOptions(args);
    if (doubt !== null) this.#doubt(doubt);
    if (isFromInput && place.isFed) this.#doubt('a shell that runs what it reads');
    if (line === undefined) return false;
    if (typeof line !== 'string') this.#doubt('a line for a shell that only another shell knows');
    else this.line(line, dialect, place.depth);
    return typeof line === 'string';
  }

  #find(args: readonly Argument[], place: Place): void {
    for (let at = 0; at < args.length; at++) {
      if (!FIND_STARTS.includes(String(args[at]))) continue;
      const rest = args.slice(at + 1);
      const end = rest.findIndex((argument) => argument === ';' || argument === '+');
      const words = rest.slice(0, end < 0 ? undefined : end);
      const filled = words.map((word) => (typeof word === 'string' && word.includes('{}') ? ONE : word));
      if (filled.length > 0) this.command(filled, { ...place, isInShell: false });
    }
  }

  #doubt(what: string): void {
    this.doubts.add(what);
  }
}
