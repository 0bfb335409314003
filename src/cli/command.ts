/**
 * What a command is: one entry of the table from which parsing, help, completion and docs/cli.md are made. It
 * knows no command and loads none.
 */
import type { FlagTable, FlagValues } from './flag.js';

/** A word that is no flag. */
export interface Operand {
  /** As the help shows it: `ID`. */
  readonly name: string;
  readonly isOptional?: boolean;
  /** Takes all that follow. */
  readonly isMany?: boolean;
  /** What it may be, where that can be listed; for completion. `ID` is completed by asking. */
  readonly choices?: readonly string[];
}

export interface Example {
  /** A line for a shell; `$ID` stands for the id of a terminal. */
  readonly line: string;
  readonly doc: string;
}

/** A command as it was called. */
export interface Call<Flags extends FlagTable = FlagTable> {
  readonly operands: readonly string[];
  /** The program to run and its arguments, where the command takes one; else empty. */
  readonly program: readonly string[];
  readonly flags: FlagValues<Flags>;
  /** Flags that are settings, as they were written. */
  readonly settings: readonly string[];
}

/** Answers with the exit code, or with nothing where the process is to live on. */
export type Run<Flags extends FlagTable = FlagTable> = (call: Call<Flags>) => Promise<number | void> | number | void;

/** What a command can be asked for by its first word, where there are several such. */
export interface Action {
  readonly description: readonly string[];
  readonly flags: FlagTable;
}

export interface Command<Flags extends FlagTable = FlagTable> {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What there is to know beyond it, as paragraphs. */
  readonly description?: readonly string[];
  readonly operands: readonly Operand[];
  /** By the first operand; `help` explains each by itself. */
  readonly actions?: Readonly<Record<string, Action>>;
  /**
   * Whether it takes a program with arguments: all words from the first that is no flag, or after `--`; `behind` the
   * operands only after `--`.
   */
  readonly program: 'none' | 'optional' | 'required' | 'behind';
  readonly flags: Flags;
  /** Pairs of flags, of which only one may be given: the other would have no effect. */
  readonly apart: readonly (readonly [keyof Flags, keyof Flags])[];
  /** Whether flags that are settings count, as `--data-dir`. */
  readonly takesSettings: boolean;
  readonly examples: readonly Example[];
  /** Loaded when it is called, so that nobody waits for what is not used. */
  load(): Promise<Run<Flags>>;
}

type Given<Flags extends FlagTable> = Pick<Command<Flags>, 'name' | 'summary' | 'examples' | 'load'> &
  Partial<Command<Flags>>;

/** An entry of the table, with what it does not say filled in. */
export function command<Flags extends FlagTable = Record<never, never>>(given: Given<Flags>): Command {
  const rest = { operands: [], program: 'none', flags: {}, apart: [], takesSettings: true } as const;
  // A command is only ever called with values that the parser read by its own flags.
  return { ...rest, ...given } as unknown as Command;
}

/** One action of a command, as if it were a command. */
export function commandOf(whole: Command, action: string): Command | undefined {
  if (whole.actions === undefined || !Object.hasOwn(whole.actions, action)) return undefined;
  const name = `${whole.name} ${action}`;
  const examples = whole.examples.filter(({ line }) => line.includes(`tenacitty ${name} `));
  return { ...whole, ...whole.actions[action], name, examples, operands: [], apart: [] };
}

/** `tenacitty logs [flags] ID`. */
export function usageOf({ name, operands, program, flags }: Command): string {
  const words = operands.map((operand) => {
    const shown = `${operand.name}${operand.isMany ? '…' : ''}`;
    return operand.isOptional ? `[${shown}]` : shown;
  });
  const programs = {
    none: [],
    optional: ['[--] [PROGRAM [ARGUMENT…]]'],
    required: ['[--] PROGRAM [ARGUMENT…]'],
    behind: ['[-- COMMAND…]'],
  };
  const flagWord = Object.keys(flags).length > 0 ? ['[flags]'] : [];
  return ['tenacitty', name, ...flagWord, ...words, ...programs[program]].join(' ');
}
