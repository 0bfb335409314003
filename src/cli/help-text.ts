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

const WIDTH = 100;
const INDENT = '  ';

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

/** Returns the overview of all commands. */
export function overview(all: readonly CommandGroup[]): string {
  const names = commandsOf(all).map(({ name }) => name);
  const width = Math.max(...names.map((name) => name.length));
  const groups = all.flatMap(({ title, commands }) => [
    `${title}:`,
    ...commands.map(({ name, summary }) => `${INDENT}${name.padEnd(width)}  ${summary}`),
    '',
  ]);
  return lines([
    `tenacitty ${VERSION}: terminals that outlive their callers`,
    '',
    'Usage: tenacitty COMMAND [flags] [arguments]     For details: tenacitty help COMMAND',
    '',
    ...groups,
    'Examples:',
    ...columns(EXAMPLES.map(({ line, doc }) => [line, doc])),
    '',
    'Exit codes:',
    ...columns(EXIT_CODES.map(([code, meaning]) => [code, meaning.replaceAll('`', '')])),
    '',
    ...wrap(ABOUT_IDS),
    ...wrap(ABOUT_SETTINGS),
  ]);
}

/** Returns the help for one command. For `serve`, the caller adds the list of settings. */
export function helpOf(command: Command): string {
  const { summary, description = [], flags, examples, takesSettings, name } = command;
  const flagRows = Object.entries(flags).map(
    ([key, flag]) => [flagUsage(key, flag as Flag<unknown>), flag.doc] as const,
  );
  return lines([
    `${summary}.`,
    '',
    `Usage: ${usageOf(command)}`,
    ...description.flatMap((paragraph) => ['', ...wrap(paragraph)]),
    ...section('Flags', columns(flagRows)),
    ...section('Examples', columns(examples.map(({ line, doc }) => [line, doc]))),
    ...(takesSettings && name !== 'serve' ? ['', ...wrap(ABOUT_SETTINGS)] : []),
  ]);
}

function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : ['', `${title}:`, ...rows];
}

/** Formats two columns. Wraps the second, and places it below the first where the first is long. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const MAX_FIRST = 46;
  const width = Math.max(...rows.map(([first]) => first.length).filter((length) => length <= MAX_FIRST), 0);
  return rows.flatMap(([first, second]) => {
    const [start = '', ...more] = wrap(second, WIDTH - width - 2 * INDENT.length);
    const blank = ' '.repeat(width);
    const rest = more.map((line) => `${INDENT}${blank}${INDENT}${line}`);
    if (first.length <= width) return [`${INDENT}${first.padEnd(width)}${INDENT}${start}`, ...rest];
    return [`${INDENT}${first}`, `${INDENT}${blank}${INDENT}${start}`, ...rest];
  });
}

function wrap(text: string, width = WIDTH): string[] {
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
