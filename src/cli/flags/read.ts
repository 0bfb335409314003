/** The flags of the commands that read. */
import { choice, count, duration, FOR_ALL, label, text, toggle, valued } from '../flag.js';

const FORMATS = ['text', 'ansi', 'raw'] as const;

export const LIST_FLAGS = {
  label: label('Lists only terminals with this label. Can be repeated to require several labels.'),
  running: toggle('Lists only running terminals.'),
  all: toggle('Lists all terminals, also ended and lost ones. This is the default.', 'a'),
  quiet: toggle('Prints only the full ids, one per line.', 'q'),
  names: toggle('Prints only the names, one per line, of terminals that have one; with -q, each name is below its id.'),
  format: text(
    'TEMPLATE',
    'Prints one line per terminal: TEMPLATE with each {{FIELD}} replaced by that field of the JSON output.',
  ),
  json: toggle('Prints the terminals as a JSON array, in the format of the REST API.'),
} as const;

export const LOGS_FLAGS = {
  label: FOR_ALL,
  follow: toggle('Follows new output until the program ends.', 'f'),
  since: text(
    'WHERE',
    'Starts at a line number, at a cursor, or at a time given as a duration before now (such as 5m).',
  ),
  tail: count('N', 'Starts N lines before the end.', 'n'),
  format: choice(
    FORMATS,
    'text: lines as displayed. ansi: lines as displayed, with colours. raw: the bytes that the program wrote. ' +
      'Default: text.',
  ),
  json: toggle('Prints a page as JSON, in the format of the REST API; with -f, one JSON object per line.'),
} as const;

export const SEARCH_FLAGS = {
  label: FOR_ALL,
  regex: toggle('TEXT is a regular expression (RE2 syntax: no backreferences, no look-around).', 'E'),
  ignoreCase: toggle('Ignores case.', 'i'),
  context: count('N', 'Also prints N lines before and after each match, at most 20.', 'C'),
  from: count('LINE', 'Number of the first line to search.'),
  to: count('LINE', 'Number of the last line to search.'),
  command: count('N', 'Searches only the output of command N; lines are numbered from the start of that output.'),
  max: count('N', 'Stops after N lines. Default: no limit.'),
  json: toggle('Prints one JSON object per line, in the format of the REST API.'),
} as const;

const ANY_PORT = 'any';

/** Parses a port number or `any`. */
function readPort(given: string): number | typeof ANY_PORT | undefined {
  if (given === ANY_PORT) return given;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

export const WAIT_FLAGS = {
  label: FOR_ALL,
  exit: toggle('Until the program ends. This is the default if no condition is given.'),
  text: text('TEXT', 'Until new output contains this text; echoed input also counts.'),
  regex: text('REGEX', 'Until new output matches (RE2 syntax: no backreferences, no look-around).'),
  idle: duration('Until nothing has been printed for this long.'),
  input: toggle('Until a program is waiting for input.'),
  port: valued({
    valueName: 'PORT',
    doc: 'Until a process of the terminal is listening on this TCP port (any: on any TCP port). Prints the port.',
    expected: 'a port from 1 to 65535, or any',
    read: readPort,
  }),
  command: count('N', 'Until command N ends; its exit code becomes the exit code of tenacitty wait.'),
  from: count(
    'OFFSET',
    'Byte offset at which new output begins; 0 includes all earlier output. Default: the current end.',
  ),
  timeout: duration('Maximum time to wait. When it expires, the exit code is 124; the program keeps running.'),
  json: toggle('Prints what ended the wait as JSON; without a condition, all details of the terminal.'),
} as const;

export const SCREEN_FLAGS = {
  label: FOR_ALL,
  format: choice(['text', 'ansi'], 'ansi: with colours. Default: text.'),
  png: text('FILE', 'Writes a PNG image of the screen to FILE instead; - writes to stdout.'),
  json: toggle('Prints the screen, its cursor and its modes as JSON.'),
} as const;

export const STATS_FLAGS = { label: FOR_ALL, json: toggle('Prints the statistics as JSON.') } as const;
