/** Lists the possible completions of each command, from the command table, for the scripts of all shells. Pure. */
import type { Command } from '../command.js';
import { flagName } from '../flag.js';
import type { Flag } from '../flag.js';

/** The settings that are completed for every command that accepts settings. The others are rarely typed. */
const COMMON_SETTINGS = ['--data-dir', '--runtime-dir', '--settings-file'];

export interface CompletedFlag {
  readonly name: string;
  readonly short: string | null;
  readonly doc: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** Whether its value is the id of a terminal. */
  readonly isId: boolean;
}

export function completedFlags({ flags, takesSettings }: Command): CompletedFlag[] {
  const own = Object.entries(flags).map(([key, flag]) => completed(key, flag as Flag<unknown>));
  const settings = takesSettings ? COMMON_SETTINGS : [];
  const rest = { short: null, choices: [], isId: false } as const;
  return [
    ...own,
    ...settings.map((name) => ({ ...rest, name, doc: 'A setting.', takesValue: true })),
    { ...rest, name: '--help', doc: 'Explains the command.', takesValue: false },
  ];
}

function completed(key: string, { short, doc, valueName, choices }: Flag<unknown>): CompletedFlag {
  return { name: flagName(key), short, doc, takesValue: valueName !== null, choices, isId: valueName === 'ID' };
}

/** Returns the completions of a command's operands: a list of words, and whether ids of terminals are completed. */
export function wordsOf(
  { name, operands }: Command,
  commandNames: readonly string[],
): { choices: string[]; ids: boolean } {
  const choices = name === 'help' ? [...commandNames, 'all'] : operands.flatMap((operand) => operand.choices ?? []);
  return { choices: [...new Set(choices)], ids: operands.some((operand) => operand.name === 'ID') };
}

/** Quotes a string for bash or zsh, with single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Arguments that make tenacitty print ids and names, in the syntax of any shell. Append them to the command as it was
 * typed, because `tenacitty` is not necessarily on PATH.
 */
export const LIST_IDS = 'ls --quiet --names 2>/dev/null';
