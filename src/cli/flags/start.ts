/** The flags of the commands that start something. */
import { EXPECTED_DETACH_KEY, readDetachKey } from '../attach/detach-key.js';
import { choice, count, duration, label, listed, text, toggle, valued } from '../flag.js';

const ASSIGNMENT = /^[^=\0]+=/;

/** Flags of every command that creates a terminal. */
export const START_FLAGS = {
  name: text('NAME', 'Name of the terminal, which commands accept instead of its ID. Unique among running terminals.'),
  cwd: text('DIRECTORY', 'Directory to start in. Default: the current directory.'),
  env: listed({
    valueName: 'NAME=VALUE',
    expected: 'NAME=VALUE',
    doc: 'Sets an environment variable. Can be repeated.',
    read: (given) => (ASSIGNMENT.test(given) ? given : undefined),
  }),
} as const;

const SHELL = text('SHELL', 'Shell to start. Default: the TENACITTY_SHELL_PATH setting, otherwise your login shell.');

/** Flags of `exec` for a new terminal. */
export const SHELL_FLAGS = { shell: SHELL, ...START_FLAGS } as const;

/** The keys that detach a person's own terminal. */
export const DETACH_KEY = valued({
  valueName: 'KEY',
  doc:
    'Key that detaches, for example ctrl-] or ctrl-q. With two keys, such as ctrl-p,ctrl-q, the first is typed when it ' +
    'is pressed twice. none: no key detaches. Default: the TENACITTY_DETACH_KEY setting, otherwise ctrl-\\.',
  expected: EXPECTED_DETACH_KEY,
  read: readDetachKey,
});

/** Flags of `run`, `new` and `rec`. */
export const CREATION_FLAGS = {
  ...START_FLAGS,
  cols: count('N', 'Width of the screen in columns. Default: the width of your terminal (run), otherwise 80.'),
  rows: count('N', 'Height of the screen in rows. Default: the height of your terminal (run), otherwise 24.'),
  like: text(
    'ID',
    'Copies the program, arguments, last directory and size of this terminal, even if it has ended or is lost.',
  ),
  history: choice(['disk', 'memory'], 'Where the history is kept. Default: the TENACITTY_HISTORY setting.'),
  timeLimit: duration('Ends the program after this time. Default: never.'),
  label: label('Label for selecting the terminal, for example with tenacitty ls --label. Can be repeated.'),
} as const;

export const RUN_FLAGS = {
  ...CREATION_FLAGS,
  detach: toggle('Prints the id and exits; the program keeps running.', 'd'),
  detachKey: DETACH_KEY,
  json: toggle(
    'Prints the result and the output as JSON when the program has ended; with -d, the details of the new ' +
      'terminal.',
  ),
  keep: toggle('Keeps the ended terminal, which stays listed and readable.'),
  noEcho: toggle('Does not echo input, for example from a pipe, in the output.'),
  raw: toggle('Does not echo input, and does not convert the ends of lines that the program writes to CR LF.'),
} as const;

export const NEW_FLAGS = {
  shell: SHELL,
  ...CREATION_FLAGS,
  attach: toggle('Attaches your terminal to it, like tenacitty attach; the id is not printed.'),
  json: toggle('Prints the details of the new terminal as JSON.'),
} as const;
