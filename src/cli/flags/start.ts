/** The flags of the commands that start something. */
import { choice, count, duration, label, listed, text, toggle } from '../flag.js';

const ASSIGNMENT = /^[^=\0]+=/;

/** Flags of every command that creates a terminal. */
export const START_FLAGS = {
  name: text('NAME', 'What to call it: commands take the name in place of the ID. Of those that run only one has it.'),
  cwd: text('DIRECTORY', 'Directory to start in. Default: the one you are in.'),
  env: listed({
    valueName: 'NAME=VALUE',
    expected: 'NAME=VALUE',
    doc: 'Sets an environment variable; may be given several times.',
    read: (given) => (ASSIGNMENT.test(given) ? given : undefined),
  }),
} as const;

const SHELL = text('SHELL', 'Shell to start. Default: the TENACITTY_SHELL_PATH setting, else your login shell.');

/** Flags of `exec` for a new terminal. */
export const SHELL_FLAGS = { shell: SHELL, ...START_FLAGS } as const;

/** Flags that `run` and `new` share. */
const CREATION_FLAGS = {
  ...START_FLAGS,
  cols: count('N', 'Columns of the screen. Default: those of your terminal (run), else 80.'),
  rows: count('N', 'Rows of the screen. Default: those of your terminal (run), else 24.'),
  like: text(
    'ID',
    'Takes program, arguments, last directory and size of this terminal, which may have ended or be lost.',
  ),
  history: choice(['disk', 'memory'], 'Where its history is kept. Default: the TENACITTY_HISTORY setting.'),
  timeLimit: duration('Ends it when it has run for so long. Default: never.'),
  label: label('What to find it by, as with tenacitty ls --label; may be given several times.'),
} as const;

export const RUN_FLAGS = {
  ...CREATION_FLAGS,
  detach: toggle('Prints the id and leaves; the program goes on.', 'd'),
  json: toggle(
    'Prints at the end how the program went and its output, as JSON; with -d all there is to know of the new terminal.',
  ),
  keep: toggle('Leaves the ended terminal listed and readable.'),
} as const;

export const NEW_FLAGS = {
  shell: SHELL,
  ...CREATION_FLAGS,
  attach: toggle('Takes it up with your own terminal at once, as tenacitty attach does; its id is not printed.'),
  json: toggle('Prints all there is to know of the new terminal, as JSON.'),
} as const;
