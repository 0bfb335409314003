/** Lists the possible completions of each command, from the table. The scripts for all shells share this part. Pure. */
import type { Command } from '../command.js';
import { flagName } from '../flag.js';
import type { Flag } from '../flag.js';

/** Flags that every command with settings accepts. The others are rarely typed. */
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

/** Returns the completions of a command's operands: listed words, or the ids of terminals. */
export function wordsOf(
  { name, operands }: Command,
  commandNames: readonly string[],
): { choices: string[]; ids: boolean } {
  const choices = name === 'help' ? commandNames : operands.flatMap((operand) => operand.choices ?? []);
  return { choices: [...choices], ids: operands.some((operand) => operand.name === 'ID') };
}

/** Quotes a string for a shell, with single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Prints ids and names, in any shell. Used with the command as typed, because `tenacitty` need not be on PATH. */
export const LIST_IDS = 'ls --quiet --names 2>/dev/null';
