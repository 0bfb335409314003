/** The commands that read terminals, their history and their screens. Table entries only. */
import { command } from '../command.js';
import { LIST_FLAGS, LOGS_FLAGS, SEARCH_FLAGS, WAIT_FLAGS, SCREEN_FLAGS, STATS_FLAGS } from '../flags/read.js';

export const LIST = command({
  name: 'ls',
  summary: 'List running, ended and lost terminals',
  description: [
    'The status of a terminal is active while its program is running, exited when the program has ended (with its ' +
      'exit code or signal), and lost if its host process was killed or the machine was restarted.',
  ],
  flags: LIST_FLAGS,
  apart: [
    ['json', 'quiet'],
    ['json', 'names'],
    ['json', 'format'],
    ['quiet', 'format'],
    ['names', 'format'],
    ['running', 'all'],
  ],
  examples: [
    { line: 'tenacitty ls', doc: 'a table, oldest first; with the last command if shell integration is on' },
    { line: 'tenacitty ls --running --format "{{id}} {{status}} {{lastCommand.text}}"', doc: 'these fields' },
    { line: 'tenacitty ls -q --label project=web', doc: 'ids of the terminals with this label' },
    { line: 'tenacitty ls --json | grep -c \'"status":"active"\'', doc: 'for programs' },
  ],
  load: async () => (await import('../commands/list.js')).list,
});

export const LOGS = command({
  name: 'logs',
  summary: 'Print the history of a terminal',
  description: [
    'Prints lines as they were displayed: progress bars and cursor movement are resolved, and the output of ' +
      'full-screen programs is left out (see tenacitty screen). Reading does not consume anything, and also ' +
      'works after the program has ended.',
    'Lines that are still on the screen can change. With -f, a changed line is printed again, below the others; in ' +
      'JSON, it has the same number and the new text.',
  ],
  operands: [{ name: 'ID' }],
  flags: LOGS_FLAGS,
  examples: [
    { line: 'tenacitty logs $ID', doc: 'all lines held' },
    { line: 'tenacitty logs -fn10 $ID', doc: 'the last ten lines, then new output' },
    { line: 'tenacitty logs --since 5m $ID', doc: 'the output of the last five minutes' },
    { line: 'tenacitty logs -f --json $ID', doc: 'each line as {"line", "time", "text"}' },
  ],
  load: async () => (await import('../commands/logs.js')).logs,
});

export const SEARCH = command({
  name: 'search',
  summary: 'Print the lines of the history that contain a string',
  description: [
    'Searches all held lines, including those on disk, as they were displayed; a match cannot span lines. Prints ' +
      'matching lines with their numbers, which tenacitty logs --since accepts. If a line has more than 2000 ' +
      'characters, only the part around the match is printed. The exit code is 1 if nothing matches.',
  ],
  operands: [{ name: 'ID' }, { name: 'TEXT' }],
  flags: SEARCH_FLAGS,
  examples: [
    { line: 'tenacitty search $ID ready', doc: 'prints lines such as 12:server ready' },
    { line: 'tenacitty search -i -C 2 $ID READY', doc: 'ignoring case, with two lines before and after' },
    { line: 'tenacitty search --regex $ID "^r(ea|e)dy$"', doc: 'with a regular expression' },
  ],
  load: async () => (await import('../commands/search.js')).search,
});

export const WAIT = command({
  name: 'wait',
  summary: 'Wait until the program ends, or until another condition is met',
  description: [
    'Without conditions, the exit code is the exit code of the program, or 1 if the terminal is lost, because then ' +
      'the exit code is not known.',
    'If conditions are given as flags, the first one that is met ends the wait, and stderr says which one it was. ' +
      'The exit code is then 0 or, with --command, the exit code of the command. If the program ends first, the ' +
      'exit code is 1 or, with --exit, the exit code of the program.',
  ],
  operands: [{ name: 'ID' }],
  flags: WAIT_FLAGS,
  examples: [
    { line: 'tenacitty wait --timeout 10m $ID', doc: 'for its end, at most ten minutes' },
    { line: 'tenacitty wait --from 0 --regex "h(el+)o" $ID', doc: 'for output, including earlier output' },
    { line: 'tenacitty wait --port any --input --idle 1s $ID', doc: 'for a server, a question, or silence' },
    { line: 'PORT=$(tenacitty wait --port any --timeout 1m $ID) || echo none', doc: 'the port of a server' },
  ],
  load: async () => (await import('../commands/wait.js')).wait,
});

export const SCREEN = command({
  name: 'screen',
  summary: 'Print the current screen',
  description: [
    '--png draws the screen as displayed, in colour, with cells of 8 by 16 pixels. The font, GNU Unifont, covers ' +
      'the writing systems in use, box drawing, blocks and symbols. Characters that it lacks, such as emoji, are ' +
      'drawn as a box.',
  ],
  operands: [{ name: 'ID' }],
  flags: SCREEN_FLAGS,
  apart: [
    ['png', 'json'],
    ['png', 'format'],
  ],
  examples: [
    { line: 'tenacitty screen $ID', doc: 'its rows, without blank rows at the end' },
    { line: 'tenacitty screen --png screen.png $ID', doc: 'an image of the screen' },
  ],
  load: async () => (await import('../commands/screen.js')).screen,
});

export const STATS = command({
  name: 'stats',
  summary: 'Print statistics for one terminal, or for all terminals',
  operands: [{ name: 'ID', isOptional: true }],
  flags: STATS_FLAGS,
  examples: [
    { line: 'tenacitty stats', doc: 'terminals, bytes and problems' },
    { line: 'tenacitty stats $ID', doc: 'lines and bytes, where they are kept, and limits' },
  ],
  load: async () => (await import('../commands/stats.js')).stats,
});
