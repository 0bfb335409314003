/** `tenacitty help`: the overview, or one command. */
import { TerminalError } from '../../errors.js';
import { didYouMean } from '../../nearest.js';
import type { Call, Command } from '../command.js';
import { helpOf, overview } from '../help-text.js';
import { print } from '../stdout.js';
import { COMMANDS, findCommand } from '../table.js';

export async function help({ operands: [name] }: Pick<Call, 'operands'>): Promise<void> {
  if (name === undefined) return print(overview());
  const command = findCommand(name);
  if (!command) throw unknownCommand(name);
  await printHelp(command);
}

/** The list of settings is loaded only for `serve`: nothing else of the help needs it. */
async function printHelp(command: Command): Promise<void> {
  const settings = command.name === 'serve' ? (await import('../settings-help.js')).settingsHelp() : '';
  await print(helpOf(command) + settings);
}

/** The refusal of a command that there is not. */
export function unknownCommand(name: string): TerminalError {
  const names = COMMANDS.map((command) => command.name);
  return new TerminalError('INVALID_INPUT', `unknown command ${name}.${didYouMean(name, names)} See tenacitty help.`);
}
