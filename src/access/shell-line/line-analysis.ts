/** Describes what a shell line, or a program with its arguments, runs. */

/** One argument whose text only the shell knows: `"$x"`. */
export const UNKNOWN_ARGUMENT = Symbol('one argument');
/** Any number of arguments that only the shell knows: `$x`, `*.c`. */
export const UNKNOWN_ARGUMENTS = Symbol('any number of arguments');

export type Argument = string | typeof UNKNOWN_ARGUMENT | typeof UNKNOWN_ARGUMENTS;

/** The name of a program, or the word in its place, and its arguments. */
export type CommandWords = readonly Argument[];

/** A variable that is set. */
export interface Assignment {
  readonly name: string;
  /** Null if only the shell knows it. */
  readonly value: string | null;
  /** Whether programs receive it: it precedes one, or is exported. */
  readonly isPassedOn: boolean;
}

/** One program that is started, or a shell builtin. */
export interface LaunchedProgram {
  /** As written: a name or a path. */
  readonly program: string;
  readonly args: readonly Argument[];
  /** Whether it only starts another program, which is in the list too. */
  readonly isWrapper: boolean;
  /** Whether a shell looks it up, so that names of builtins refer to these. */
  readonly isInShell: boolean;
  /** Whether it only looks like a command, in a line that is not understood: only rules that forbid apply to it. */
  readonly isGuess: boolean;
}

/** Everything known about what will run. */
export interface LineAnalysis {
  readonly launched: readonly LaunchedProgram[];
  /** Variables that are set. */
  readonly assigned: readonly Assignment[];
  /** Why something else could run, in words; empty if that is certain not to happen. */
  readonly doubts: ReadonlySet<string>;
}
