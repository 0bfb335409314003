/** The flags of the commands that act on terminals. */
import type { KillTerminal } from '../../contract/terminal.js';
import { choice, count, duration, FOR_ALL, FOR_ALL_RUNNING, FOR_ONE, text, toggle } from '../flag.js';
import { DETACH_KEY } from './start.js';

type KillSignal = NonNullable<KillTerminal['signal']>;

// Not imported from the contract, because `--help` would then load the contract's dependencies.
const KILL_SIGNALS = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGKILL',
  'SIGTERM',
  'SIGUSR1',
  'SIGUSR2',
] as const satisfies readonly KillSignal[];

/** Parses the name of a signal: `TERM` and `sigterm` mean `SIGTERM`. */
function readSignal(given: string): KillSignal | undefined {
  const name = given.toUpperCase();
  return KILL_SIGNALS.find((signal) => signal === name || signal === `SIG${name}`);
}

export const ATTACH_FLAGS = {
  create: text(
    'NAME',
    'Attaches to the running terminal with this name; if there is none, opens it, like tenacitty new --attach.',
  ),
  label: FOR_ONE,
  readOnly: toggle(
    'Only displays the terminal: nothing is typed, and its size does not change. Ctrl-C detaches, like the ' +
      'detach key.',
  ),
  take: toggle(
    'Holds the terminal until you detach, even if another caller holds it: input, commands and resizing from others ' +
      'are rejected.',
  ),
  detachKey: DETACH_KEY,
  scrollback: count('N', 'Also shows the last N lines above the screen. Default: 2000; 0: none.'),
} as const;

export const SEND_FLAGS = {
  label: FOR_ALL_RUNNING,
  noEnter: toggle('Does not press Enter after the text.'),
  raw: toggle('Sends the text unchanged: adds no Enter, and does not convert line endings.'),
} as const;

export const KEYS_FLAGS = { label: FOR_ALL_RUNNING } as const;

export const RESIZE_FLAGS = { label: FOR_ALL_RUNNING } as const;

export const KILL_FLAGS = {
  label: FOR_ALL_RUNNING,
  all: toggle('Ends all running terminals.'),
  signal: choice(
    KILL_SIGNALS,
    'First signal to send; SIGKILL follows after the grace period. Default: SIGTERM.',
    readSignal,
  ),
  grace: duration('Grace period: how long the processes have to end. Default: the TENACITTY_KILL_GRACE_MS setting.'),
} as const;

export const REMOVE_FLAGS = {
  label: FOR_ALL,
  ended: toggle('Removes all ended and lost terminals; with --label, only those with the label.'),
} as const;

export const RENAME_FLAGS = {
  label: FOR_ONE,
  clear: toggle('Removes the name.'),
} as const;

export const LABEL_FLAGS = { label: FOR_ALL } as const;
