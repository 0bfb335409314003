/** The commands about commands run in shells. Table entries only. */
import { command } from '../command.js';
import { EXEC_FLAGS, COMMANDS_FLAGS, INTERRUPT_FLAGS, INTEGRATE_FLAGS } from '../flags/commands.js';

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
