/** The commands that look: at terminals, their history and their screens. Entries of the table only. */
import { command } from '../command.js';
import { choice, count, duration, text, toggle } from '../flag.js';

const FORMATS = ['text', 'ansi', 'raw'] as const;

export const LIST_FLAGS = {
  quiet: toggle('Prints the ids only, whole, one a line.', 'q'),
  json: toggle('Prints the terminals as a JSON array, as the REST API gives them.'),
} as const;

export const LOGS_FLAGS = {
  follow: toggle('Goes on with what comes, until the program has ended.', 'f'),
  since: text('WHERE', 'Begins at a line by its number, at a cursor, or a duration ago (as 5m).'),
  tail: count('N', 'Begins N lines before the end.'),
  format: choice(
    FORMATS,
    'text: as seen. ansi: with colours. raw: the bytes as the program wrote them. Default: text.',
  ),
  json: toggle('Prints a page as the REST API gives it; with -f one JSON object a line.'),
} as const;

export const WAIT_FLAGS = {
  timeout: duration('How long to wait at most; then the exit code is 4, and the program goes on.'),
  json: toggle('Prints all there is to know of the terminal, as JSON.'),
} as const;

export const SCREEN_FLAGS = {
  format: choice(['text', 'ansi'], 'ansi: with colours. Default: text.'),
  json: toggle('Prints the screen with its cursor and modes, as JSON.'),
} as const;

export const STATS_FLAGS = { json: toggle('Prints the numbers as JSON.') } as const;

export const LIST = command({
  name: 'ls',
  summary: 'List terminals: running, ended and lost ones',
  description: [
    'A terminal is active while its program runs, exited when it has ended (with its exit code or signal), and lost when ' +
      'what held it was killed or the machine restarted.',
  ],
  flags: LIST_FLAGS,
  examples: [
    { line: 'tenacitty ls', doc: 'a table, oldest first' },
    { line: 'tenacitty ls --json | grep -c \'"status":"active"\'', doc: 'for programs' },
  ],
  load: async () => (await import('../commands/list.js')).list,
});

export const LOGS = command({
  name: 'logs',
  summary: 'Print the history of a terminal',
  description: [
    'Lines are what a person would have seen: progress bars and cursor movement resolved, what full-screen programs draw ' +
      'left out (see tenacitty screen). Reading takes nothing away, and goes on after the program has ended.',
    'Lines still on the screen may change. With -f such a line is printed anew, below; as JSON it comes again with the ' +
      'same number and its new text.',
  ],
  operands: [{ name: 'ID' }],
  flags: LOGS_FLAGS,
  examples: [
    { line: 'tenacitty logs $ID', doc: 'all lines held' },
    { line: 'tenacitty logs -f --tail 10 $ID', doc: 'the last ten, and what follows' },
    { line: 'tenacitty logs --since 5m $ID', doc: 'the last five minutes' },
    { line: 'tenacitty logs -f --json $ID', doc: 'each line as {"line", "time", "text"}' },
  ],
  load: async () => (await import('../commands/logs.js')).logs,
});

export const WAIT = command({
  name: 'wait',
  summary: 'Wait until the program has ended, and pass on its exit code',
  description: ['The exit code is 1 if the terminal is lost: how its program ended is not known.'],
  operands: [{ name: 'ID' }],
  flags: WAIT_FLAGS,
  examples: [{ line: 'tenacitty wait --timeout 10m $ID', doc: 'ten minutes at most' }],
  load: async () => (await import('../commands/wait.js')).wait,
});

export const SCREEN = command({
  name: 'screen',
  summary: 'Print what the screen shows now',
  operands: [{ name: 'ID' }],
  flags: SCREEN_FLAGS,
  examples: [{ line: 'tenacitty screen $ID', doc: 'its rows, without what is blank at the end' }],
  load: async () => (await import('../commands/screen.js')).screen,
});

export const STATS = command({
  name: 'stats',
  summary: 'Print numbers: of one terminal, or of all together',
  operands: [{ name: 'ID', isOptional: true }],
  flags: STATS_FLAGS,
  examples: [
    { line: 'tenacitty stats', doc: 'terminals, bytes, and what does not work' },
    { line: 'tenacitty stats $ID', doc: 'lines and bytes, where they are kept, and the limits' },
  ],
  load: async () => (await import('../commands/stats.js')).stats,
});
