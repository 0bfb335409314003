/**
 * Defines the type of a command: an entry in the table that parsing, help, completion and docs/cli.md are based on.
 * Loads no command.
 */
import type { FlagTable, FlagValues } from './flag.js';

/** A positional argument. */
export interface Operand {
  /** The name shown in the help, such as `ID`. */
  readonly name: string;
  readonly isOptional?: boolean;
  /** Whether it takes all remaining arguments. */
  readonly isMany?: boolean;
  /**
   * Its possible values, if they can be listed; used for completion. To complete `ID`, the completion script queries
   * the engine.
   */
  readonly choices?: readonly string[];
}

export interface CommandExample {
  /** A shell command line; `$ID` stands for the id of a terminal. */
  readonly line: string;
  readonly doc: string;
}

/** A command with its parsed arguments. */
export interface ParsedCall<Flags extends FlagTable = FlagTable> {
  readonly operands: readonly string[];
  /** The program to run and its arguments, if the command takes one; otherwise empty. */
  readonly program: readonly string[];
  readonly flags: FlagValues<Flags>;
  /** The flags that are settings, as written. */
  readonly settings: readonly string[];
}

/**
 * Returns the exit code, or nothing if the process should keep running.
 *
 * @param groups - All commands, for commands that list or complete them.
 */
export type CommandHandler<Flags extends FlagTable = FlagTable> = (
  call: ParsedCall<Flags>,
  groups: readonly CommandGroup[],
) => Promise<number | void> | number | void;

/** An action of a command, selected by the command's first argument. */
export interface CommandAction {
  readonly description: readonly string[];
  readonly flags: FlagTable;
}

export interface Command<Flags extends FlagTable = FlagTable> {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Further description, as paragraphs. */
  readonly description?: readonly string[];
  readonly operands: readonly Operand[];
  /** The actions by name, which is the first operand. `help` can describe each action separately. */
  readonly actions?: Readonly<Record<string, CommandAction>>;
  /**
   * Whether the command takes a program with its arguments: everything from the first word that is not a flag, or
   * everything after `--`. `behind`: an optional program after the operands, which must be preceded by `--`.
   */
  readonly program: 'none' | 'optional' | 'required' | 'behind';
  readonly flags: Flags;
  /** Pairs of flags that exclude each other, because one of them would have no effect. */
  readonly apart: readonly (readonly [keyof Flags, keyof Flags])[];
  /** Whether it accepts flags that are settings, such as `--data-dir`. */
  readonly takesSettings: boolean;
  readonly examples: readonly CommandExample[];
  /** Loads the implementation. Called only when the command runs, so that startup does not wait for unused modules. */
  load(): Promise<CommandHandler<Flags>>;
}

/** A heading in the help, and the commands under it. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

type CommandDefinition<Flags extends FlagTable> = Pick<Command<Flags>, 'name' | 'summary' | 'examples' | 'load'> &
  Partial<Command<Flags>>;

/** Returns a table entry with defaults filled in. */
export function command<Flags extends FlagTable = Record<never, never>>(given: CommandDefinition<Flags>): Command {
  const rest = { operands: [], program: 'none', flags: {}, apart: [], takesSettings: true } as const;
  // Safe, because a command is only called with values that the parser read according to the command's own flags.
  return { ...rest, ...given } as unknown as Command;
}

export function commandsOf(groups: readonly CommandGroup[]): Command[] {
  return groups.flatMap(({ commands }) => commands);
}

export function commandNamed(groups: readonly CommandGroup[], name: string): Command | undefined {
  return commandsOf(groups).find((candidate) => candidate.name === name);
}

/** Returns one action of a command in the form of a command. */
export function commandOf(whole: Command, action: string): Command | undefined {
  if (whole.actions === undefined || !Object.hasOwn(whole.actions, action)) return undefined;
  const name = `${whole.name} ${action}`;
  const examples = whole.examples.filter(({ line }) => line.includes(`tenacitty ${name} `));
  return { ...whole, ...whole.actions[action], name, examples, operands: [], apart: [] };
}

/** Returns the usage line, such as `tenacitty logs [flags] ID`. */
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
