/** `tenacitty help`: prints the overview or the help for one command. */
import { commandName } from '../../command-name.js';
import { TerminalError } from '../../errors.js';
import { didYouMean } from '../../nearest.js';
import { printable } from '../../printable.js';
import { commandNamed, commandOf, commandsOf } from '../command.js';
import type { ParsedCall, Command, CommandGroup } from '../command.js';
import { helpOf, helpWidth, overview, wholeOverview } from '../help-text.js';
import { quotedWhereNeeded, usageError } from '../parse.js';
import { print } from '../stdout.js';

/** In place of a command: everything. */
const ALL = 'all';

type Groups = readonly CommandGroup[];

export async function help({ operands: [name, action] }: Pick<ParsedCall, 'operands'>, groups: Groups): Promise<void> {
  const width = helpWidth(process.stdout.columns);
  if (name === undefined) return print(overview(groups, width));
  if (name === ALL) return print(wholeOverview(groups, width));
  const command = commandNamed(groups, name);
  if (!command) throw unknownCommand(groups, name);
  await printHelp(action === undefined ? command : actionOf(command, action), width);
}

function actionOf(command: Command, action: string): Command {
  const found = commandOf(command, action);
  if (found) return found;
  const names = Object.keys(command.actions ?? {});
  if (names.length === 0) throw usageError(command, `Unexpected argument ${JSON.stringify(action)}.`);
  throw usageError(command, `Unknown ${command.name} command ${action}.${didYouMean(action, names)}`);
}

/** Prints the help for a command. Loads the list of settings only for `serve`, because no other help needs it. */
async function printHelp(command: Command, width: number): Promise<void> {
  const settings = command.name === 'serve' ? (await import('../settings-help.js')).settingsHelp(width) : '';
  await print(helpOf(command, width) + settings);
}

/** Names of similar commands in tmux, screen, docker and other programs. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...{ a: 'attach', at: 'attach', 'attach-session': 'attach', join: 'attach', shell: 'new --attach' },
  ...{ 'new-session': 'new', create: 'new', start: 'serve', up: 'serve', server: 'serve' },
  ...{ list: 'ls', ps: 'ls', 'list-sessions': 'ls', top: 'stats', history: 'logs', tail: 'logs -f', log: 'logs' },
  ...{ 'send-keys': 'send', type: 'send', stop: 'kill', 'kill-session': 'kill', delete: 'rm', remove: 'rm' },
  ...{ 'capture-pane': 'screen', grep: 'search', settings: 'config' },
};

/** Returns the error for an unknown command. */
export function unknownCommand(groups: Groups, name: string): TerminalError {
  const names = commandsOf(groups).map((command) => command.name);
  const usual = Object.hasOwn(ELSEWHERE, name) ? ` Did you mean ${ELSEWHERE[name]}?` : didYouMean(name, names);
  return new TerminalError('INVALID_INPUT', `Unknown command ${printable(name)}.${usual} See ${commandName()} help.`);
}

/**
 * Returns the error for flags before a command. If no command follows, suggests `serve`, which the flags may have been
 * meant for.
 */
export function commandMissing(groups: Groups, words: readonly string[]): TerminalError {
  const at = words.findIndex((word) => commandNamed(groups, word) !== undefined);
  const [name, rest] = at < 0 ? ['serve', words] : [words[at]!, [...words.slice(at + 1), ...words.slice(0, at)]];
  const meant = [commandName(), name, ...rest.map(quotedWhereNeeded)].join(' ');
  return new TerminalError(
    'INVALID_INPUT',
    `${printable(`${words[0]}: expected a command first, for example ${meant}.`)} See ${commandName()} help.`,
  );
}
