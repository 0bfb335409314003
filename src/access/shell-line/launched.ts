/**
 * Determines which programs are started by a line, or by a program with its arguments, including those started through
 * `sudo`, `env`, `xargs`, `sh -c` and similar. Does not depend on the rules.
 */
import { assignedBy, doubtOfBuiltin, doubtOfSetting, isNotRead } from './builtins.js';
import { readLine } from './line.js';
import type { Argument, Assigned, CommandWords, Launched, Reading } from './reading.js';
import { isShell, readsAlike, taskOfShell } from './shells.js';
import type { ShellTask } from './shells.js';
import { guessed, startedBy } from './starters.js';
import type { Start } from './starters.js';

const MAX_DEPTH = 12;
/** Without `=`, because such a word is an assignment in some places. */
const PLAIN = /^[\x21-<>-\x7e]+$/;

/** Returns what a shell runs for this line. */
export function readShellLine(line: string, shell: string): Reading {
  const reader = new LaunchReader();
  reader.line(line, shell, { isInShell: true, isFed: true, isGuess: false, depth: 0 });
  return reader;
}

/** Returns what runs when a program is started with arguments. */
export function readProgram(program: string, args: readonly string[]): Reading {
  const reader = new LaunchReader();
  reader.command([program, ...args], { isInShell: false, isFed: false, isGuess: false, depth: 0 });
  return reader;
}

export function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

interface Place {
  /** Whether a shell looks up the program, so that names of builtins refer to these. */
  readonly isInShell: boolean;
  /** Whether its stdin may be something other than a person's terminal. */
  readonly isFed: boolean;
  readonly isGuess: boolean;
  readonly depth: number;
}

class LaunchReader implements Reading {
  readonly launched: Launched[] = [];
  readonly assigned: Assigned[] = [];
  readonly doubts = new Set<string>();

  line(line: string, shell: string, place: Place): void {
    if (!readsAlike(baseName(shell))) return this.#doubt('a shell whose language is not known');
    const { commands, doubt } = readLine(line);
    this.#doubt(doubt);
    for (const { words, assigned, isGuess } of commands) {
      this.#assign(assigned);
      const inLine = { ...place, isInShell: true, isFed: true, isGuess: place.isGuess || isGuess };
      if (words.length > 0) this.command(words, inLine);
    }
  }

  command(words: CommandWords, place: Place): void {
    const [program, ...args] = words;
    if (place.depth > MAX_DEPTH) return this.#doubt('programs that start programs too deep');
    if (typeof program !== 'string' || !PLAIN.test(program)) {
      return this.#doubt('a program whose name only the shell knows');
    }
    if (place.isInShell && this.#isOfShell(program, args, place)) return;
    const { isInShell, isGuess } = place;
    const task = isShell(baseName(program)) ? taskOfShell(args) : 'file';
    const start = startedBy(baseName(program), args);
    const isWrapper = start?.isPlain === true || (typeof task === 'object' && task !== null);
    this.launched.push({ program, args, isWrapper, isInShell, isGuess });
    const behind = { ...place, isInShell: isInShell && program === 'time', depth: place.depth + 1 };
    if (start !== null) this.#started(program, start, behind);
    this.#shell(program, task, behind);
  }

  /** Records the effects of a builtin. Returns true if it only counts as not understood, like a keyword. */
  #isOfShell(program: string, args: readonly Argument[], place: Place): boolean {
    this.#assign(assignedBy(program, args));
    this.#doubt(doubtOfBuiltin(program, args));
    if (!isNotRead(program)) return false;
    for (const words of guessed(args)) this.command(words, { ...place, isGuess: true, depth: place.depth + 1 });
    return true;
  }

  #started(program: string, { commands, assigned, doubt }: Start, place: Place): void {
    if (doubt !== null) this.#doubt(`\`${program}\` with ${doubt}`);
    this.#assign(assigned);
    for (const words of commands) this.command(words, { ...place, isGuess: place.isGuess || doubt !== null });
  }

  /** Parses the line given to a shell. A shell without a line would run what it reads from stdin. */
  #shell(program: string, task: ShellTask, place: Place): void {
    if (task === null) this.#doubt(`\`${program}\` with options that are not looked into`);
    else if (typeof task === 'object') this.line(task.line, program, place);
    else if (task === 'stdin' && place.isFed) this.#doubt('a shell that runs what it reads');
  }

  #assign(assigned: readonly Assigned[]): void {
    this.assigned.push(...assigned);
    for (const one of assigned) this.#doubt(doubtOfSetting(one));
  }

  #doubt(what: string | null): void {
    if (what !== null) this.doubts.add(what);
  }
}
