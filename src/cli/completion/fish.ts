/** Generates the completion script for fish from the command table. Pure. */
import type { Command } from '../command.js';
import { completedFlags, LIST_IDS, wordsOf } from './words.js';
import type { CompletedFlag } from './words.js';

const IDS = `'(tenacitty ${LIST_IDS})'`;

export function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const first = commands.map(
    ({ name, summary }) => `complete -c tenacitty -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
  );
  return [
    '# Completions of tenacitty for fish: tenacitty completion fish > ~/.config/fish/completions/tenacitty.fish',
    ...first,
    ...commands.flatMap((command) => commandLines(command, names)),
    '',
  ].join('\n');
}

function commandLines(command: Command, names: readonly string[]): string[] {
  const start = `complete -c tenacitty -n '__fish_seen_subcommand_from ${command.name}'`;
  const { choices, ids } = wordsOf(command, names);
  const words = ids ? IDS : quoted(choices.join(' '));
  return [
    ...(ids || choices.length > 0 ? [`${start} -f -a ${words}`] : []),
    ...completedFlags(command).map((flag) => `${start} ${flagWords(flag)}`),
  ];
}

function flagWords({ name, short, doc, takesValue, choices, isId }: CompletedFlag): string {
  const values = isId ? ` -f -a ${IDS}` : choices.length > 0 ? ` -f -a ${quoted(choices.join(' '))}` : '';
  const shortened = short === null ? '' : ` -s ${short}`;
  return `-l ${name.slice('--'.length)}${shortened}${takesValue ? ' -r' : ''}${values} -d ${quoted(doc)}`;
}

/** Quotes a string for fish, which escapes a quote with a backslash. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
