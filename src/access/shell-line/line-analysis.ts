/** Describes what a shell line, or a program with its arguments, runs. */

/** One argument whose text only the shell knows, such as `"$x"`. */
export const UNKNOWN_ARGUMENT = Symbol('one argument');
/** Any number of arguments that only the shell knows, such as `$x` or `*.c`. */
export const UNKNOWN_ARGUMENTS = Symbol('any number of arguments');

export type Argument = string | typeof UNKNOWN_ARGUMENT | typeof UNKNOWN_ARGUMENTS;

/** The words of a command: the name of a program, or whatever is in its place, followed by the arguments. */
export type CommandWords = readonly Argument[];

/** A variable that a line sets. */
export interface Assignment {
  readonly name: string;
  /** Null if only the shell knows the value. */
  readonly value: string | null;
  /** Whether programs receive the variable, because it is assigned directly before a program or exported. */
  readonly isPassedOn: boolean;
}

/** One program that is started, or one shell builtin. */
export interface LaunchedProgram {
  /** The name or path, as written. */
  readonly program: string;
  readonly args: readonly Argument[];
  /** Whether it only starts another program, which is also in the list. */
  readonly isWrapper: boolean;
  /** Whether a shell looks it up, so that the name of a builtin refers to the builtin. */
  readonly isInShell: boolean;
  /** Whether it only looks like a command, in a line that is not understood. Only rules that forbid apply to it. */
  readonly isGuess: boolean;
}

/** Everything that is known about what will run. */
export interface LineAnalysis {
  readonly launched: readonly LaunchedProgram[];
  /** Variables that are set. */
  readonly assigned: readonly Assignment[];
  /** Human-readable reasons why something else could run as well; empty if it is certain that nothing else will. */
  readonly doubts: ReadonlySet<string>;
}
