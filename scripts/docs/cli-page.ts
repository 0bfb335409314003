/**
 * Generates the reference in docs/cli.md from the table of commands; `npm run docs` writes it and a test verifies it.
 * Pure.
 */
import { usageOf } from '../../src/cli/command.js';
import type { Command, CommandGroup } from '../../src/cli/command.js';
import { EXIT_CODES } from '../../src/cli/exit-code.js';
import type { Flag } from '../../src/cli/flag.js';
import { flagUsage } from '../../src/cli/help-text.js';

const BEGIN = '<!-- commands: written by `npm run docs` from the table of commands; edit the table, not this -->';
const END = '<!-- end of commands -->';

/** Returns the document with the text between its two markers replaced by the reference. */
export function withCommands(document: string, groups: readonly CommandGroup[]): string {
  const before = document.slice(0, document.indexOf(BEGIN));
  const after = document.slice(document.indexOf(END));
  return `${before}${BEGIN}\n\n${reference(groups)}\n\n${after}`;
}

function reference(groups: readonly CommandGroup[]): string {
  const parts = groups.flatMap(({ title, commands }) => [`## ${title}`, ...commands.map(section)]);
  return [table(['Exit code', ''], EXIT_CODES), ...parts].join('\n\n');
}

function section(command: Command): string {
  const { name, summary, description = [], flags, examples } = command;
  const flagRows = Object.entries(flags).map(
    ([key, flag]) => [`\`${flagUsage(key, flag as Flag<unknown>)}\``, flag.doc] as const,
  );
  return [
    `### ${name}`,
    `${summary}.`,
    fenced('text', [usageOf(command)]),
    ...description.map(escaped),
    ...(flagRows.length > 0 ? [table(['Flag', ''], flagRows)] : []),
    ...(examples.length > 0
      ? [
          fenced(
            'bash',
            examples.map(({ line, doc }) => `${line}   # ${doc}`),
          ),
        ]
      : []),
  ].join('\n\n');
}

function fenced(language: string, lines: readonly string[]): string {
  return ['```' + language, ...lines, '```'].join('\n');
}

function table(titles: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const escapedRows = rows.map(([first, second]) => [
    first.replaceAll('|', '\\|'),
    escaped(second).replaceAll('|', '\\|'),
  ]);
  return [line(titles), line(['---', '---']), ...escapedRows.map(line)].join('\n');
}

/**
 * Escapes what Markdown would interpret: the start of a tag, and a backslash before punctuation. Escapes nothing else,
 * so that the source stays readable.
 */
function escaped(text: string): string {
  return text.replace(/<(?=[a-z/!?])|\\(?=[!-/:-@[-`{-~])/gi, '\\$&');
}
