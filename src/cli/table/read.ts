/** The commands that read terminals, their history and their screens. Table entries only. */
import { command } from '../command.js';
import { LIST_FLAGS, LOGS_FLAGS, SEARCH_FLAGS, WAIT_FLAGS, SCREEN_FLAGS, STATS_FLAGS } from '../flags/read.js';

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
