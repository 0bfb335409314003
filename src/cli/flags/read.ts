/** The flags of the commands that read. */
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

/** Parses a port number, or `any`. */
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
