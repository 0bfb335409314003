/** The flags of the commands that act on terminals. */
import type { KillTerminal } from '../../contract/terminal.js';
import { readDetachKey } from '../attach/detach-key.js';
import { choice, duration, FOR_ALL, FOR_ALL_RUNNING, FOR_ONE, text, toggle, valued } from '../flag.js';

type KillSignal = NonNullable<KillTerminal['signal']>;

// Importing the contract's list would load its whole library for `--help`.
const KILL_SIGNALS = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGKILL',
  'SIGTERM',
  'SIGUSR1',
  'SIGUSR2',
] as const satisfies readonly KillSignal[];

/** `TERM`, `sigterm` → `SIGTERM`. */
function readSignal(given: string): KillSignal | undefined {
  const name = given.toUpperCase();
  return KILL_SIGNALS.find((signal) => signal === name || signal === `SIG${name}`);
}

export const ATTACH_FLAGS = {
  create: text(
    'NAME',
    'Takes up the terminal of this name that runs, or else opens one, as tenacitty new --attach does.',
  ),
  label: FOR_ONE,
  readOnly: toggle(
    'Watches only: nothing is typed, and the size stays as it is. Ctrl-C leaves, as the detach key does.',
  ),
  detachKey: valued({
    valueName: 'KEY',
    doc: 'Key that leaves the terminal, as ctrl-\\ (the default), ctrl-] or ctrl-q.',
    expected: 'ctrl- and a letter or one of \\ ] ^ _',
    read: readDetachKey,
  }),
} as const;

export const SEND_FLAGS = {
  label: FOR_ALL_RUNNING,
  noEnter: toggle('Adds no Enter at the end.'),
  raw: toggle('Sends the text as it is: no Enter added, line ends left alone.'),
} as const;

export const KEYS_FLAGS = { label: FOR_ALL_RUNNING } as const;

export const RESIZE_FLAGS = { label: FOR_ALL_RUNNING } as const;

export const KILL_FLAGS = {
  label: FOR_ALL_RUNNING,
  all: toggle('Ends all terminals that run.'),
  signal: choice(KILL_SIGNALS, 'First signal; SIGKILL follows after the grace. Default: SIGTERM.', readSignal),
  grace: duration('How long the processes may take to end. Default: the TENACITTY_KILL_GRACE_MS setting.'),
} as const;

export const REMOVE_FLAGS = {
  label: FOR_ALL,
  ended: toggle('Removes all terminals that have ended or are lost; with --label those of them that have it.'),
} as const;

export const RENAME_FLAGS = {
  label: FOR_ONE,
  clear: toggle('Takes its name away.'),
} as const;

export const LABEL_FLAGS = { label: FOR_ALL } as const;
