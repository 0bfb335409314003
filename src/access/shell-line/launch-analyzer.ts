/**
 * Determines which programs a line, or a program with its arguments, starts. Includes programs that are started through
 * `sudo`, `env`, `xargs`, `sh -c` and similar.
 */
import { assignedBy, doubtOfBuiltin, doubtOfAssignment, isUnanalyzedBuiltin } from './builtins.js';
import { parseLine } from './line-parser.js';
import type { Argument, Assignment, CommandWords, LaunchedProgram, LineAnalysis } from './line-analysis.js';
import { isShell, parsesAlike, taskOfShell } from './shells.js';
import type { ShellTask } from './shells.js';
import { guessCommands, programsStartedBy } from './wrappers.js';
import type { StartedPrograms } from './wrappers.js';

const MAX_DEPTH = 12;
/** A word of printable ASCII characters. Excludes `=`, because a word that contains it can be an assignment. */
const PLAIN = /^[\x21-<>-\x7e]+$/;

/** Returns what a shell runs if it is given this line. */
export function analyzeShellLine(line: string, shell: string): LineAnalysis {
  const reader = new LaunchAnalyzer();
  reader.analyzeLine(line, shell, { isInShell: true, isFed: true, isGuess: false, depth: 0 });
  return reader;
}

/** Returns what runs when a program is started with arguments. */
export function analyzeProgram(program: string, args: readonly string[]): LineAnalysis {
  const reader = new LaunchAnalyzer();
  reader.analyzeCommand([program, ...args], { isInShell: false, isFed: false, isGuess: false, depth: 0 });
  return reader;
}

export function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

interface LaunchContext {
  /** Whether a shell looks up the program, so that the name of a builtin refers to the builtin. */
  readonly isInShell: boolean;
  /** Whether its stdin can be something other than a person's terminal. */
  readonly isFed: boolean;
  readonly isGuess: boolean;
  readonly depth: number;
}

class LaunchAnalyzer implements LineAnalysis {
  readonly launched: LaunchedProgram[] = [];
  readonly assigned: Assignment[] = [];
  readonly doubts = new Set<string>();

  analyzeLine(line: string, shell: string, place: LaunchContext): void {
    if (!parsesAlike(baseName(shell))) return this.#doubt('a shell whose syntax is not known');
    const { commands, doubt } = parseLine(line);
    this.#doubt(doubt);
    for (const { words, assigned, isGuess } of commands) {
      this.#assign(assigned);
      const inLine = { ...place, isInShell: true, isFed: true, isGuess: place.isGuess || isGuess };
      if (words.length > 0) this.analyzeCommand(words, inLine);
    }
  }

  analyzeCommand(words: CommandWords, place: LaunchContext): void {
    const [program, ...args] = words;
    if (place.depth > MAX_DEPTH) return this.#doubt('programs that are nested too deeply');
    if (typeof program !== 'string' || !PLAIN.test(program)) {
      return this.#doubt('a program whose name only the shell knows');
    }
    if (place.isInShell && this.#isBuiltin(program, args, place)) return;
    const { isInShell, isGuess } = place;
    const task = isShell(baseName(program)) ? taskOfShell(args) : 'file';
    const start = programsStartedBy(baseName(program), args);
    const isWrapper = start?.isPlain === true || (typeof task === 'object' && task !== null);
    this.launched.push({ program, args, isWrapper, isInShell, isGuess });
    const behind = { ...place, isInShell: isInShell && program === 'time', depth: place.depth + 1 };
    if (start !== null) this.#started(program, start, behind);
    this.#shell(program, task, behind);
  }

  /**
   * Records the effects of a builtin. Returns true if it counts as not understood, as keywords do; it is then not
   * checked against the rules.
   */
  #isBuiltin(program: string, args: readonly Argument[], place: LaunchContext): boolean {
    this.#assign(assignedBy(program, args));
    this.#doubt(doubtOfBuiltin(program, args));
    if (!isUnanalyzedBuiltin(program)) return false;
    for (const words of guessCommands(args))
      this.analyzeCommand(words, { ...place, isGuess: true, depth: place.depth + 1 });
    return true;
  }

  #started(program: string, { commands, assigned, doubt }: StartedPrograms, place: LaunchContext): void {
    if (doubt !== null) this.#doubt(`\`${program}\` with ${doubt}`);
    this.#assign(assigned);
    for (const words of commands) this.analyzeCommand(words, { ...place, isGuess: place.isGuess || doubt !== null });
  }

  /**
   * Analyses the line that a shell is given. A shell without a line runs what it reads from stdin, which is unknown.
   */
  #shell(program: string, task: ShellTask, place: LaunchContext): void {
    if (task === null) this.#doubt(`\`${program}\` with options that are not analysed`);
    else if (typeof task === 'object') this.analyzeLine(task.line, program, place);
    else if (task === 'stdin' && place.isFed) this.#doubt('a shell that runs what it reads from stdin');
  }

  #assign(assigned: readonly Assignment[]): void {
    this.assigned.push(...assigned);
    for (const one of assigned) this.#doubt(doubtOfAssignment(one));
  }

  #doubt(what: string | null): void {
    if (what !== null) this.doubts.add(what);
  }
}
