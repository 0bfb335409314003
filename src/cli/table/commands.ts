/** The commands that run, list and interrupt commands in shells. Table entries only. */
import { command } from '../command.js';
import { EXEC_FLAGS, COMMANDS_FLAGS, INTERRUPT_FLAGS, INTEGRATE_FLAGS } from '../flags/commands.js';

export const EXEC = command({
  name: 'exec',
  summary: 'Run a command in the shell of a terminal, and return its output and exit code',
  description: [
    'One TEXT, or one word after --, is text for the shell: exec $ID "cd /tmp && ls". Several words after -- are a ' +
      'program and its arguments, which are passed unchanged. - reads the text from stdin. Without an ID, the ' +
      'command runs in a new terminal, which ends when the command ends, together with any background processes; ' +
      'with --keep, the terminal stays open, and its id is printed on stderr.',
    'The directory, variables and functions of the shell persist between commands. Only one command runs at a ' +
      'time; while it is running, others are rejected.',
    'If the command is waiting for input, the exit code is 123, and stderr says what it is waiting for. The command ' +
      'keeps running in this case, as it does after --timeout and when tenacitty exec itself is ended (SIGTERM, ' +
      'SIGHUP, SIGKILL): see tenacitty commands. Ctrl-C interrupts the command.',
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
    { line: 'tenacitty exec $ID -- ls -l', doc: 'the next command, in the same directory' },
    { line: 'tenacitty exec --timeout 10m -- git --version', doc: 'in a new terminal, which ends with the command' },
    { line: 'echo "for n in 1 2; do echo $n; done" | tenacitty exec $ID -', doc: 'a script from stdin' },
    { line: 'N=$(tenacitty exec -d $ID "sleep 100")', doc: 'start it and return' },
  ],
  load: async () => (await import('../commands/exec.js')).exec,
});

export const COMMANDS_COMMAND = command({
  name: 'commands',
  summary: 'List the commands that were run in a terminal, or print the output of one command',
  description: [
    'Lists commands run by tenacitty exec and commands typed at the prompt, newest last: number, result, ' +
      'duration, directory and text.',
  ],
  operands: [{ name: 'ID' }, { name: 'N', isOptional: true }],
  flags: COMMANDS_FLAGS,
  examples: [
    { line: 'tenacitty commands $ID', doc: 'a table' },
    { line: 'tenacitty commands --output $ID 1', doc: 'only the output of the first command' },
    { line: 'tenacitty commands --json $ID 1', doc: 'all details of the first command' },
  ],
  load: async () => (await import('../commands/commands.js')).commands,
});

export const INTEGRATE = command({
  name: 'integrate',
  summary: 'Make exec run commands in the nested shell or REPL of a terminal',
  description: [
    'For a shell within ssh, sudo -s or docker exec, or a REPL of python or node: tenacitty exec runs its commands ' +
      'there until the nested shell ends. To make this work, tenacitty types a few lines into it, but writes no ' +
      'file on its machine.',
    'Without --as, tenacitty detects the kind from the program that is waiting at its prompt or, over a connection, ' +
      'from what the prompt looks like.',
  ],
  operands: [{ name: 'ID' }],
  flags: INTEGRATE_FLAGS,
  examples: [
    { line: 'tenacitty exec -d $ID bash; tenacitty integrate $ID', doc: 'exec now runs commands in the inner bash' },
  ],
  load: async () => (await import('../commands/integrate.js')).integrate,
});

export const INTERRUPT = command({
  name: 'interrupt',
  summary: 'Interrupt the running command of a terminal, as Ctrl-C does',
  description: ['With N, interrupts only command N, and does nothing if it has already ended.'],
  operands: [{ name: 'ID' }, { name: 'N', isOptional: true }],
  flags: INTERRUPT_FLAGS,
  examples: [
    { line: 'tenacitty interrupt $ID', doc: 'the running command' },
    { line: 'tenacitty interrupt $ID 1', doc: 'command 1, if it is still running' },
  ],
  load: async () => (await import('../commands/commands.js')).interrupt,
});
