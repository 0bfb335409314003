/** The commands that look: at terminals, their history and their screens. Entries of the table only. */
import { command } from '../command.js';
import { choice, count, duration, FOR_ALL, label, text, toggle, valued } from '../flag.js';

const FORMATS = ['text', 'ansi', 'raw'] as const;

export const LIST_FLAGS = {
  label: label('Only terminals with this label; given several times, only those with all of them.'),
  quiet: toggle('Prints the ids only, whole, one a line.', 'q'),
  names: toggle('Prints the names only, of those that have one, one a line; with -q below their ids.'),
  json: toggle('Prints the terminals as a JSON array, as the REST API gives them.'),
} as const;

export const LOGS_FLAGS = {
  label: FOR_ALL,
  follow: toggle('Goes on with what comes, until the program has ended.', 'f'),
  since: text('WHERE', 'Begins at a line by its number, at a cursor, or a duration ago (as 5m).'),
  tail: count('N', 'Begins N lines before the end.'),
  format: choice(
    FORMATS,
    'text: as seen. ansi: with colours. raw: the bytes as the program wrote them. Default: text.',
  ),
  json: toggle('Prints a page as the REST API gives it; with -f one JSON object a line.'),
} as const;

export const SEARCH_FLAGS = {
  label: FOR_ALL,
  regex: toggle('TEXT is a regular expression (RE2 syntax: no backreferences, no look-around).', 'E'),
  ignoreCase: toggle('Upper and lower case are the same.', 'i'),
  context: count('N', 'Prints N lines before and behind each as well, 20 at most.', 'C'),
  from: count('LINE', 'The first line to look at, by its number.'),
  to: count('LINE', 'The last line to look at.'),
  command: count('N', 'Looks at what command N has printed; lines are numbered as in its own output.'),
  max: count('N', 'Ends after N lines. Default: all.'),
  json: toggle('Prints one JSON object a line, as the REST API gives it.'),
} as const;

const ANY_PORT = 'any';

/** A port by its number, or any. */
function readPort(given: string): number | typeof ANY_PORT | undefined {
  if (given === ANY_PORT) return given;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

export const WAIT_FLAGS = {
  label: FOR_ALL,
  exit: toggle('Until the program has ended: as without any of these.'),
  text: text('TEXT', 'Until new output has this text in it; the echo of what is typed counts, too.'),
  regex: text('REGEX', 'Until new output matches (RE2 syntax: no backreferences, no look-around).'),
  idle: duration('Until nothing was printed for so long.'),
  input: toggle('Until a program waits for input.'),
  port: valued({
    valueName: 'PORT',
    doc: 'Until a program of the terminal listens on this TCP port; any: on one at all.',
    expected: 'a port from 1 to 65535, or any',
    read: readPort,
  }),
  command: count('N', 'Until command N has ended; its exit code passes through.'),
  from: count('OFFSET', 'Where new output begins, in bytes: 0 is all there was. Default: now.'),
  timeout: duration('How long to wait at most; then the exit code is 4, and the program goes on.'),
  json: toggle(
    'Prints what came about, as JSON; all there is to know of the terminal where only its end was waited for.',
  ),
} as const;

export const SCREEN_FLAGS = {
  label: FOR_ALL,
  format: choice(['text', 'ansi'], 'ansi: with colours. Default: text.'),
  png: text('FILE', 'Writes a picture of it to FILE instead; -: to stdout.'),
  json: toggle('Prints the screen with its cursor and modes, as JSON.'),
} as const;

export const STATS_FLAGS = { label: FOR_ALL, json: toggle('Prints the numbers as JSON.') } as const;

export const LIST = command({
  name: 'ls',
  summary: 'List terminals: running, ended and lost ones',
  description: [
    'A terminal is active while its program runs, exited when it has ended (with its exit code or signal), and lost when ' +
      'what held it was killed or the machine restarted.',
  ],
  flags: LIST_FLAGS,
  apart: [
    ['json', 'quiet'],
    ['json', 'names'],
  ],
  examples: [
    { line: 'tenacitty ls', doc: 'a table, oldest first; of a followed shell with the last command' },
    { line: 'tenacitty ls -q --label project=web', doc: 'ids of those that were opened with this label' },
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

export const SEARCH = command({
  name: 'search',
  summary: 'Print the lines of a history that have a text in them',
  description: [
    'Looks at all lines that are held, on disk too, as a person would have seen them; each on its own. They are printed with ' +
      'their numbers, as tenacitty logs --since takes them; of a line of more than 2000 characters the part in which TEXT was ' +
      'found. The exit code is 1 if there is none.',
  ],
  operands: [{ name: 'ID' }, { name: 'TEXT' }],
  flags: SEARCH_FLAGS,
  examples: [
    { line: 'tenacitty search $ID ready', doc: 'as 12:server ready' },
    { line: 'tenacitty search -i -C 2 $ID READY', doc: 'in any case, with two lines before and behind' },
    { line: 'tenacitty search --regex $ID "^r(ea|e)dy$"', doc: 'by an expression' },
  ],
  load: async () => (await import('../commands/search.js')).search,
});

export const WAIT = command({
  name: 'wait',
  summary: 'Wait until the program has ended, or until something else has come about',
  description: [
    'The exit code of the program passes through; it is 1 if the terminal is lost: how its program ended is not known.',
    'With flags that say what to wait for, the first that comes about ends the wait, and stderr says what it was: the exit ' +
      'code is 0 then (with --command that of the command), and 1 if the program has ended before, but for --exit.',
  ],
  operands: [{ name: 'ID' }],
  flags: WAIT_FLAGS,
  examples: [
    { line: 'tenacitty wait --timeout 10m $ID', doc: 'for its end, ten minutes at most' },
    { line: 'tenacitty wait --from 0 --regex "h(el+)o" $ID', doc: 'for output, also what was printed before' },
    { line: 'tenacitty wait --port any --input --idle 1s $ID', doc: 'a server, a question, or silence' },
  ],
  load: async () => (await import('../commands/wait.js')).wait,
});

export const SCREEN = command({
  name: 'screen',
  summary: 'Print what the screen shows now',
  description: [
    'A picture is as a person would see it, with colours, eight by sixteen pixels a cell. The font, GNU Unifont, has what ' +
      'people write in, frames, blocks and symbols; for what it lacks, as emoji, there is a box.',
  ],
  operands: [{ name: 'ID' }],
  flags: SCREEN_FLAGS,
  apart: [
    ['png', 'json'],
    ['png', 'format'],
  ],
  examples: [
    { line: 'tenacitty screen $ID', doc: 'its rows, without what is blank at the end' },
    { line: 'tenacitty screen --png screen.png $ID', doc: 'a picture of it' },
  ],
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
