/** The commands about what is run in the shells of terminals. Entries of the table only. */
import { command } from '../command.js';
import { choice, duration, FOR_ALL_RUNNING, FOR_ONE, toggle } from '../flag.js';
import { SHELL_FLAGS } from './start.js';

export const EXEC_FLAGS = {
  label: FOR_ONE,
  timeout: duration(
    'How long to wait at most, also for a shell that still starts; then the exit code is 124, and a command that has begun goes on.',
  ),
  ignoreInput: toggle('Waits on where the command waits for input: for programs that listen to keys by the way.'),
  detach: toggle('Prints the number of the command as soon as it has begun, and leaves.', 'd'),
  format: choice(
    ['text', 'ansi', 'raw'],
    'text: as seen. ansi: with colours. raw: the bytes as the command wrote them. Default: ansi on a terminal, else text.',
  ),
  json: toggle('Prints the result with its output, as JSON, when it is there.'),
  keep: toggle('Without an ID: leaves the new terminal running, for the next command.'),
  ...SHELL_FLAGS,
} as const;

export const COMMANDS_FLAGS = {
  label: FOR_ONE,
  output: toggle('Prints what command N has printed.'),
  json: toggle('Prints the records, or a page of the output, as the REST API gives them.'),
} as const;

export const INTERRUPT_FLAGS = { label: FOR_ALL_RUNNING } as const;

export const INTEGRATE_FLAGS = {
  label: FOR_ONE,
  as: choice(
    ['auto', 'sh', 'python', 'node'],
    'What is there, where the system does not tell: any shell of the POSIX kind, or a REPL. Default: auto.',
  ),
  timeout: duration('How long to wait for its prompt, and for its answer. Default: 10s.'),
  json: toggle('Prints what is followed now, as the REST API gives it.'),
} as const;

export const EXEC = command({
  name: 'exec',
  summary: 'Run a command in the shell of a terminal, and pass on its output and exit code',
  description: [
    'One TEXT, or one word after --, is text for the shell: exec $ID "cd /tmp && ls". Several words after -- are one ' +
      'program with its arguments, which reach it as they are. - stands for all of stdin. Without an ID the command runs in ' +
      'a new terminal, which ends with it, and with what it left in the background; with --keep it stays, and stderr says ' +
      'its id.',
    'Directory, variables and functions of the shell stay for the next command. One command at a time: while one runs, ' +
      'the next is refused.',
    'If the command waits for input, the exit code is 125, and stderr says what it waits for. It goes on then, as with ' +
      '--timeout and when tenacitty exec itself is ended (SIGTERM, SIGHUP, SIGKILL): see tenacitty commands. Ctrl-C ' +
      'interrupts the command.',
  ],
  operands: [
    { name: 'ID', isOptional: true },
    { name: 'TEXT', isOptional: true },
  ],
  program: 'behind',
  flags: EXEC_FLAGS,
  apart: [
    ['detach', 'format'],
    ['detach', 'ignoreInput'],
  ],
  examples: [
    { line: 'tenacitty exec $ID "cd /tmp && export GREETING=hello"', doc: 'in this shell' },
    { line: 'tenacitty exec $ID -- ls -l', doc: 'the next, in the same directory' },
    { line: 'tenacitty exec --timeout 10m -- git --version', doc: 'in a new terminal, which ends with it' },
    { line: 'echo "for n in 1 2; do echo $n; done" | tenacitty exec $ID -', doc: 'a script from stdin' },
    { line: 'N=$(tenacitty exec -d $ID "sleep 100")', doc: 'begins it, and leaves' },
  ],
  load: async () => (await import('../commands/exec.js')).exec,
});

export const COMMANDS_COMMAND = command({
  name: 'commands',
  summary: 'List the commands that were run in a terminal, or print the output of one',
  description: [
    'Those run by tenacitty exec and those typed at the prompt, the newest last: number, how it ended, how long it took, ' +
      'where, and its text.',
  ],
  operands: [{ name: 'ID' }, { name: 'N', isOptional: true }],
  flags: COMMANDS_FLAGS,
  examples: [
    { line: 'tenacitty commands $ID', doc: 'a table' },
    { line: 'tenacitty commands --output $ID 1', doc: 'what the first one printed, and nothing else' },
    { line: 'tenacitty commands --json $ID 1', doc: 'all there is to know of it' },
  ],
  load: async () => (await import('../commands/commands.js')).commands,
});

export const INTEGRATE = command({
  name: 'integrate',
  summary: 'Have exec run in the shell or REPL that a command of a terminal has led to',
  description: [
    'Behind ssh, sudo -s, docker exec or a REPL of python or node: from now on tenacitty exec runs its commands there, ' +
      'until it ends. A few lines are typed into it for that, and nothing is written there.',
    'Without --as it is a program that waits at its prompt, or behind a connection what looks so.',
  ],
  operands: [{ name: 'ID' }],
  flags: INTEGRATE_FLAGS,
  examples: [{ line: 'tenacitty exec -d $ID bash; tenacitty integrate $ID', doc: 'from now on, in that bash' }],
  load: async () => (await import('../commands/integrate.js')).integrate,
});

export const INTERRUPT = command({
  name: 'interrupt',
  summary: 'Interrupt the command that runs in a terminal, as Ctrl-C does',
  description: ['With N that command and no other: one that has ended is left alone.'],
  operands: [{ name: 'ID' }, { name: 'N', isOptional: true }],
  flags: INTERRUPT_FLAGS,
  examples: [
    { line: 'tenacitty interrupt $ID', doc: 'what runs now' },
    { line: 'tenacitty interrupt $ID 1', doc: 'the first, if it runs still' },
  ],
  load: async () => (await import('../commands/commands.js')).interrupt,
});
