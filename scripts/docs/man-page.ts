/**
 * Generates docs/tenacitty.1, the manual page, from the table of commands; `npm run docs` writes it and a test verifies
 * it. Pure.
 */
import { usageOf } from '../../src/cli/command.js';
import type { Command, CommandGroup } from '../../src/cli/command.js';
import { EXIT_CODES } from '../../src/cli/exit-code.js';
import type { Flag } from '../../src/cli/flag.js';
import { ABOUT_IDS, ABOUT_SETTINGS, EXAMPLES, flagUsage } from '../../src/cli/help-text.js';

export function manPage(groups: readonly CommandGroup[]): string {
  return [
    '.\\" Written by `npm run docs` from the table of commands.',
    '.TH TENACITTY 1',
    '.SH NAME',
    'tenacitty \\- terminals that outlive their callers',
    '.SH SYNOPSIS',
    '.B tenacitty',
    '.I COMMAND',
    '[flags] [arguments]',
    '.SH DESCRIPTION',
    ...paragraph(ABOUT_IDS),
    ...paragraph(ABOUT_SETTINGS),
    ...groups.flatMap(({ title, commands }) => [
      `.SH COMMANDS: ${title.toUpperCase()}`,
      ...commands.flatMap(sectionOf),
    ]),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => entry(code, meaning.replaceAll('`', ''))),
    '.SH EXAMPLES',
    ...EXAMPLES.flatMap(({ line, doc }) => entry(line, doc)),
    '.SH FILES',
    ...entry('~/.local/share/tenacitty', 'Keys, hooks and the history of terminals, unless TENACITTY_DATA_DIR is set.'),
    '',
  ].join('\n');
}

function sectionOf(command: Command): string[] {
  const { name, summary, description = [], flags, examples } = command;
  return [
    `.SS ${text(name)}`,
    `.B ${text(usageOf(command))}`,
    ...paragraph(`${summary}.`),
    ...description.flatMap(paragraph),
    ...Object.entries(flags).flatMap(([key, flag]) => entry(flagUsage(key, flag as Flag<unknown>), flag.doc)),
    ...examples.flatMap(({ line, doc }) => entry(line, doc)),
  ];
}

function paragraph(words: string): string[] {
  return ['.PP', line(words)];
}

function entry(term: string, words: string): string[] {
  return ['.TP', `.B ${text(term)}`, line(words)];
}

/** Returns a line of text, which must not begin with a character that begins a request. */
function line(words: string): string {
  return text(words).replace(/^[.']/, '\\&$&');
}

/** Escapes what roff would interpret. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(
      /[^\0-\x7f]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
