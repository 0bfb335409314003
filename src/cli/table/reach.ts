/** The commands that act on a terminal: attach, type, resize, end. Table entries only. */
import { command } from '../command.js';
import {
  ATTACH_FLAGS,
  SEND_FLAGS,
  KEYS_FLAGS,
  RESIZE_FLAGS,
  KILL_FLAGS,
  REMOVE_FLAGS,
  RENAME_FLAGS,
  LABEL_FLAGS,
} from '../flags/reach.js';

export const ATTACH = command({
  name: 'attach',
  summary: 'Attach your terminal to a terminal',
  description: [
    'Shows the last lines above the screen, so that you can scroll back, the current screen, then all further output. ' +
      'Everything you type, including Ctrl-C, goes to the program, except the detach key (Ctrl-\\ by default). ' +
      'Several people can attach to the same terminal. The terminal takes the window size of whoever typed last: ' +
      'yours applies as soon as you press a key, or immediately if no one else is attached.',
    'If another caller holds the terminal, your input is rejected until the terminal is handed back; --take takes it ' +
      'over.',
    'Without an ID, it attaches to the only running terminal, or to the one most recently opened or typed into, ' +
      'and prints its id on stderr.',
    'The exit code is 0 when you detach and when the program ends; the exit code of the program is printed on ' +
      'stderr. Your terminal is restored afterwards.',
  ],
  operands: [{ name: 'ID', isOptional: true }],
  flags: ATTACH_FLAGS,
  apart: [['readOnly', 'take']],
  examples: [
    { line: 'tenacitty attach', doc: 'the only running terminal, or the last one used' },
    { line: 'tenacitty attach --create web', doc: 'the running terminal named web, or a new one' },
    { line: 'tenacitty attach $ID', doc: 'Ctrl-\\ detaches' },
    { line: 'tenacitty attach --take $ID', doc: 'no one else can type until then' },
    { line: 'tenacitty attach --read-only --detach-key ctrl-q $ID', doc: 'only watch; Ctrl-Q or Ctrl-C detaches' },
    { line: 'tenacitty attach --detach-key ctrl-p,ctrl-q $ID', doc: 'as in docker; Ctrl-P twice types one Ctrl-P' },
  ],
  load: async () => (await import('../commands/attach.js')).attach,
});

export const RENAME = command({
  name: 'rename',
  summary: 'Change the name of a terminal',
  description: [
    'A name consists of lower-case letters, digits, ., _ and -. It must not consist only of digits, nor only of ' +
      'four or more hexadecimal digits and dashes, because it would look like an id. Names are unique among running ' +
      'terminals; when a terminal ends, its name can be used again.',
  ],
  operands: [{ name: 'ID' }, { name: 'NAME', isOptional: true }],
  flags: RENAME_FLAGS,
  examples: [
    { line: 'tenacitty rename $ID web', doc: 'name it web' },
    { line: 'tenacitty rename --clear $ID', doc: 'remove its name' },
  ],
  load: async () => (await import('../commands/rename.js')).rename,
});

export const LABEL = command({
  name: 'label',
  summary: 'Change the labels of terminals',
  description: ['NAME=VALUE sets a label, NAME- removes it. Other labels do not change.'],
  operands: [{ name: 'ID' }, { name: 'NAME=VALUE|NAME-', isMany: true }],
  flags: LABEL_FLAGS,
  examples: [
    { line: 'tenacitty label $ID project=web task-', doc: 'set one label, remove another' },
    {
      line: 'tenacitty new --label job=1; tenacitty label --label job=1 job=2',
      doc: 'for all terminals with label job=1',
    },
  ],
  load: async () => (await import('../commands/rename.js')).label,
});

export const SEND = command({
  name: 'send',
  summary: 'Type text into a terminal, followed by Enter',
  description: [
    'Several words are typed with spaces between them; - reads the text from stdin. Line ends in the text are ' +
      'typed as Enter. No Enter is added to text that ends in a control character.',
  ],
  operands: [{ name: 'ID' }, { name: 'TEXT', isMany: true }],
  flags: SEND_FLAGS,
  examples: [
    { line: 'tenacitty send $ID "npm test"', doc: 'type it and press Enter' },
    { line: 'tenacitty send --no-enter $ID "rm -r build"', doc: 'leave it for a person to confirm' },
    { line: 'echo "ls -l" | tenacitty send $ID -', doc: 'type what is read from stdin' },
  ],
  load: async () => (await import('../commands/send.js')).send,
});

export const KEYS = command({
  name: 'keys',
  summary: 'Press keys in a terminal',
  description: ['Examples of keys: enter, tab, escape, space, backspace, up, pagedown, f5, ctrl-c, alt-x, shift-tab.'],
  operands: [{ name: 'ID' }, { name: 'KEY', isMany: true }],
  flags: KEYS_FLAGS,
  examples: [
    { line: 'tenacitty keys $ID ctrl-c', doc: 'interrupt' },
    { line: 'tenacitty keys $ID up up enter', doc: 'repeat the last command but one' },
  ],
  load: async () => (await import('../commands/send.js')).keys,
});

export const RESIZE = command({
  name: 'resize',
  summary: 'Change the size of a terminal',
  operands: [{ name: 'ID' }, { name: 'COLSxROWS' }],
  flags: RESIZE_FLAGS,
  examples: [{ line: 'tenacitty resize $ID 120x40', doc: '120 columns, 40 rows' }],
  load: async () => (await import('../commands/resize.js')).resize,
});

export const KILL = command({
  name: 'kill',
  summary: 'End the programs of terminals, with all processes that they started',
  description: [
    'Waits until the processes have ended. The terminals stay readable; to remove them, see tenacitty rm. With ' +
      '--all, host processes that are no longer used end within seconds; tenacitty kill-server ends all of them.',
  ],
  operands: [{ name: 'ID', isOptional: true, isMany: true }],
  flags: KILL_FLAGS,
  apart: [['label', 'all']],
  examples: [
    { line: 'tenacitty kill $ID', doc: 'SIGTERM, then SIGKILL after the grace period' },
    { line: 'tenacitty kill --signal INT --grace 10s $ID', doc: 'like Ctrl-C, with a longer grace period' },
    { line: 'tenacitty kill --all', doc: 'all running terminals' },
    { line: 'tenacitty new --label job=1; tenacitty kill --label job=1', doc: 'all running terminals with this label' },
  ],
  load: async () => (await import('../commands/end.js')).kill,
});

export const REMOVE = command({
  name: 'rm',
  summary: 'Remove terminals and their history; running terminals are ended first',
  operands: [{ name: 'ID', isOptional: true, isMany: true }],
  flags: REMOVE_FLAGS,
  examples: [
    { line: 'tenacitty rm $ID', doc: 'this terminal, running or not' },
    { line: 'tenacitty rm --ended', doc: 'all terminals that are not running' },
  ],
  load: async () => (await import('../commands/end.js')).remove,
});
