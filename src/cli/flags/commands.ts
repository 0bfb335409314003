/** The flags of the commands that run and list commands. */
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
