/**
 * Generates the help text, for the overview and for each command, from the entries of the command table. Pure;
 * independent of any particular command.
 */
import { VERSION } from '../version.js';
import { commandsOf, usageOf } from './command.js';
import type { Command, CommandGroup, CommandExample } from './command.js';
import { EXIT_CODES } from './exit-code.js';
import { flagName } from './flag.js';
import type { Flag } from './flag.js';

/** The width of lines if stdout is not a terminal. */
const DEFAULT_WIDTH = 80;
/** Longer lines are hard to read; shorter ones leave no room for the second column. */
const [MIN_WIDTH, MAX_WIDTH] = [60, 100];
/** The commands that the overview describes, so that it fits a terminal of 24 rows. It only names the others. */
const USUAL: readonly string[] = 'run exec new ls logs attach send wait kill rm serve open mcp'.split(' ');
const INDENT = '  ';
/** Share of the width that the first of two columns has at most. */
const FIRST_COLUMN_SHARE = 0.46;
/** The longest name of a command, so that all groups are aligned. */
const NAME_WIDTH = 12;

/** Returns a flag as the help shows it: `-f, --follow`, `--tail N`. */
export function flagUsage(key: string, { short, valueName }: Flag<unknown>): string {
  const name = short === null ? flagName(key) : `-${short}, ${flagName(key)}`;
  return valueName === null ? name : `${name} ${valueName}`;
}

export const EXAMPLES: readonly CommandExample[] = [
  { line: 'tenacitty run -- ls -l', doc: 'run a program and return its exit code' },
  { line: 'ID=$(tenacitty new)', doc: 'open a terminal that stays open' },
  { line: 'tenacitty send $ID "npm start"', doc: 'type into it' },
  { line: 'tenacitty logs -f $ID', doc: 'follow its output' },
  { line: 'tenacitty attach $ID', doc: 'attach to it; Ctrl-\\ detaches' },
  { line: 'tenacitty ls', doc: 'list terminals' },
];

export const ABOUT_IDS =
  'ID is an id, its first characters (at least four), or a name. In place of an ID, --label NAME=VALUE ' +
  'selects the terminals with that label. Data goes to stdout, messages go to stderr. NO_COLOR disables colours.';

export const ABOUT_SETTINGS =
  'Every command also accepts settings as flags, in particular --data-dir, --runtime-dir and ' +
  '--settings-file; tenacitty help serve lists them.';

/** Returns the width to format help for. @param columns - The width of the terminal, if there is one. */
export function helpWidth(columns: number | undefined): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns || DEFAULT_WIDTH));
}

const HEAD = [
  `tenacitty ${VERSION}: terminals that outlive their callers`,
  '',
  'Usage: tenacitty COMMAND [flags] [arguments]',
  '',
];

/** Returns the overview: the usual commands, and the names of the others. Has less than 24 lines. */
export function overview(all: readonly CommandGroup[], width: number): string {
  const commands = commandsOf(all);
  const usual = USUAL.flatMap((name) => commands.filter((command) => command.name === name));
  const others = commands.filter((command) => !usual.includes(command)).map(({ name }) => name);
  return lines([
    ...HEAD,
    ...usual.map(({ name, summary }) => cut(`${INDENT}${name.padEnd(6)}  ${summary}`, width)),
    '',
    ...wrap(`Others: ${others.join(', ')}`, width),
    '',
    'For details: tenacitty help COMMAND. For everything: tenacitty help all.',
  ]);
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** Returns the overview of all commands, with examples and exit codes. */
export function wholeOverview(all: readonly CommandGroup[], width: number): string {
  const groups = all.flatMap(({ title, commands }) => [
    `${title}:`,
    ...columns(
      commands.map(({ name, summary }) => [name.padEnd(NAME_WIDTH), summary]),
      width,
    ),
    '',
  ]);
  return lines([
    ...HEAD,
    ...groups,
    'Examples:',
    ...columns(
      EXAMPLES.map(({ line, doc }) => [line, doc]),
      width,
    ),
    '',
    'Exit codes:',
    ...columns(
      EXIT_CODES.map(([code, meaning]) => [code, meaning.replaceAll('`', '')]),
      width,
    ),
    '',
    ...wrap(ABOUT_IDS, width),
    ...wrap(ABOUT_SETTINGS, width),
  ]);
}

/** Returns the help for one command. For `serve`, the caller adds the list of settings. */
export function helpOf(command: Command, width: number): string {
  const { summary, description = [], flags, examples, takesSettings, name } = command;
  const flagRows = Object.entries(flags).map(
    ([key, flag]) => [flagUsage(key, flag as Flag<unknown>), flag.doc] as const,
  );
  return lines([
    `${summary}.`,
    '',
    `Usage: ${usageOf(command)}`,
    ...description.flatMap((paragraph) => ['', ...wrap(paragraph, width)]),
    ...section('Flags', columns(flagRows, width)),
    ...section(
      'Examples',
      columns(
        examples.map(({ line, doc }) => [line, doc]),
        width,
      ),
    ),
    ...(takesSettings && name !== 'serve' ? ['', ...wrap(ABOUT_SETTINGS, width)] : []),
  ]);
}

function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : ['', `${title}:`, ...rows];
}

/** Formats two columns. Wraps the second, and places it below the first where the first is long. */
function columns(rows: readonly (readonly [string, string])[], totalWidth: number): string[] {
  const maxFirst = Math.floor(totalWidth * FIRST_COLUMN_SHARE);
  const width = Math.max(...rows.map(([first]) => first.length).filter((length) => length <= maxFirst), 0);
  return rows.flatMap(([first, second]) => {
    const [start = '', ...more] = wrap(second, totalWidth - width - 2 * INDENT.length);
    const blank = ' '.repeat(width);
    const rest = more.map((line) => `${INDENT}${blank}${INDENT}${line}`);
    if (first.length <= width) return [`${INDENT}${first.padEnd(width)}${INDENT}${start}`, ...rest];
    return [`${INDENT}${first}`, `${INDENT}${blank}${INDENT}${start}`, ...rest];
  });
}

/** Breaks text into lines of at most this width. */
export function wrap(text: string, width: number): string[] {
  const wrapped: string[] = [];
  for (const word of text.split(' ')) {
    const last = wrapped.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) wrapped[wrapped.length - 1] = `${last} ${word}`;
    else wrapped.push(word);
  }
  return wrapped;
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
