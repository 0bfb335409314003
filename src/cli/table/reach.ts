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
  summary: 'Take up a terminal with your own',
  description: [
    'Shows the screen as it is now and then all that comes; what you type goes to the program, Ctrl-C too. Several people ' +
      'can be attached to one terminal. Its size is that of whoever typed last; your own counts from your first key on, or ' +
      'at once if nobody else watches.',
    'Without an ID it takes the only terminal that runs, or of several the one that was opened or typed into last, and says ' +
      'on stderr which that is.',
    'The exit code is 0 when you detach and when the program ends; stderr says with which exit code it did. Your terminal ' +
      'is left as it was.',
  ],
  operands: [{ name: 'ID', isOptional: true }],
  flags: ATTACH_FLAGS,
  examples: [
    { line: 'tenacitty attach', doc: 'the only one, or the last one used' },
    { line: 'tenacitty attach --create web', doc: 'the one called web, a new one if none runs' },
    { line: 'tenacitty attach $ID', doc: 'Ctrl-\\ leaves' },
    { line: 'tenacitty attach --read-only --detach-key ctrl-q $ID', doc: 'only watch; Ctrl-Q or Ctrl-C leaves' },
  ],
  load: async () => (await import('../commands/attach.js')).attach,
});

export const RENAME = command({
  name: 'rename',
  summary: 'Give a terminal another name',
  description: [
    'A name is of lower-case letters, digits, ., _ and -; not of digits alone, and not of four or more hex digits and dashes ' +
      'alone, as ids are. Of the terminals that run only one has it; when that has ended, the name is free again.',
  ],
  operands: [{ name: 'ID' }, { name: 'NAME', isOptional: true }],
  flags: RENAME_FLAGS,
  examples: [
    { line: 'tenacitty rename $ID web', doc: 'from now on it is called web' },
    { line: 'tenacitty rename --clear $ID', doc: 'has no name any more' },
  ],
  load: async () => (await import('../commands/rename.js')).rename,
});

export const LABEL = command({
  name: 'label',
  summary: 'Change the labels of terminals',
  description: ['NAME=VALUE writes a label, NAME- takes it away. All other labels stay.'],
  operands: [{ name: 'ID' }, { name: 'NAME=VALUE|NAME-', isMany: true }],
  flags: LABEL_FLAGS,
  examples: [
    { line: 'tenacitty label $ID project=web task-', doc: 'writes one, takes another away' },
    { line: 'tenacitty new --label job=1; tenacitty label --label job=1 job=2', doc: 'of all with this label' },
  ],
  load: async () => (await import('../commands/rename.js')).label,
});

export const SEND = command({
  name: 'send',
  summary: 'Type text into a terminal, and Enter',
  description: [
    'Several words are typed with blanks between them; - stands for all of stdin. Line ends in the text are typed as Enter. ' +
      'Text that ends in a control character gets no Enter.',
  ],
  operands: [{ name: 'ID' }, { name: 'TEXT', isMany: true }],
  flags: SEND_FLAGS,
  examples: [
    { line: 'tenacitty send $ID "npm test"', doc: 'types it, and Enter' },
    { line: 'tenacitty send --no-enter $ID "rm -r build"', doc: 'for a person to confirm' },
    { line: 'echo "ls -l" | tenacitty send $ID -', doc: 'types what stdin gives' },
  ],
  load: async () => (await import('../commands/send.js')).send,
});

export const KEYS = command({
  name: 'keys',
  summary: 'Press keys in a terminal',
  description: [
    'Keys are enter, tab, escape, space, backspace, up, pagedown, f5, ctrl-c, alt-x, shift-tab and the like.',
  ],
  operands: [{ name: 'ID' }, { name: 'KEY', isMany: true }],
  flags: KEYS_FLAGS,
  examples: [
    { line: 'tenacitty keys $ID ctrl-c', doc: 'interrupts' },
    { line: 'tenacitty keys $ID up up enter', doc: 'once more the last command but one' },
  ],
  load: async () => (await import('../commands/send.js')).keys,
});

export const RESIZE = command({
  name: 'resize',
  summary: 'Give a terminal another size',
  operands: [{ name: 'ID' }, { name: 'COLSxROWS' }],
  flags: RESIZE_FLAGS,
  examples: [{ line: 'tenacitty resize $ID 120x40', doc: '120 columns, 40 rows' }],
  load: async () => (await import('../commands/resize.js')).resize,
});

export const KILL = command({
  name: 'kill',
  summary: 'End the programs of terminals, with all they started',
  description: [
    'The terminals stay readable; see tenacitty rm. Waits until the processes are gone. With --all, host processes that ' +
      'nothing uses end within seconds; tenacitty kill-server ends all of them.',
  ],
  operands: [{ name: 'ID', isOptional: true, isMany: true }],
  flags: KILL_FLAGS,
  apart: [['label', 'all']],
  examples: [
    { line: 'tenacitty kill $ID', doc: 'SIGTERM, and SIGKILL for what is left after the grace' },
    { line: 'tenacitty kill --signal INT --grace 10s $ID', doc: 'as Ctrl-C would, with more time' },
    { line: 'tenacitty kill --all', doc: 'all that run' },
    { line: 'tenacitty new --label job=1; tenacitty kill --label job=1', doc: 'all that run with this label' },
  ],
  load: async () => (await import('../commands/end.js')).kill,
});

export const REMOVE = command({
  name: 'rm',
  summary: 'Forget terminals and their history; what still runs is ended',
  operands: [{ name: 'ID', isOptional: true, isMany: true }],
  flags: REMOVE_FLAGS,
  examples: [
    { line: 'tenacitty rm $ID', doc: 'this one, running or not' },
    { line: 'tenacitty rm --ended', doc: 'all that do not run any more' },
  ],
  load: async () => (await import('../commands/end.js')).remove,
});
