/** The flags of the commands that run and list commands. */
import { choice, duration, FOR_ALL_RUNNING, FOR_ONE, toggle } from '../flag.js';
import { SHELL_FLAGS } from './start.js';

export const EXEC_FLAGS = {
  label: FOR_ONE,
  timeout: duration(
    'Maximum time to wait, including the start of the shell. When it expires, the exit code is 124; a command that ' +
      'has started keeps running.',
  ),
  ignoreInput: toggle(
    'Keeps waiting if the command is waiting for input. Use this for programs that work while they listen for keys.',
  ),
  detach: toggle('Prints the number of the command as soon as it has started, and exits.', 'd'),
  format: choice(
    ['text', 'ansi', 'raw'],
    'text: lines as displayed. ansi: lines as displayed, with colours. raw: the bytes that the command wrote. ' +
      'Default: ansi on a terminal, otherwise text.',
  ),
  json: toggle('Prints the result, including the output, as JSON when the command has ended.'),
  keep: toggle('Without an ID: keeps the new terminal running for further commands.'),
  ...SHELL_FLAGS,
} as const;

export const COMMANDS_FLAGS = {
  label: FOR_ONE,
  output: toggle('Prints the output of command N.'),
  json: toggle('Prints the commands, or a page of the output, as JSON in the format of the REST API.'),
} as const;

export const INTERRUPT_FLAGS = { label: FOR_ALL_RUNNING } as const;

export const INTEGRATE_FLAGS = {
  label: FOR_ONE,
  as: choice(
    ['auto', 'sh', 'python', 'node'],
    'Kind of the nested shell, if it cannot be detected: sh for any POSIX shell, or a REPL. Default: auto.',
  ),
  timeout: duration('Maximum time to wait for its prompt and its response. Default: 10s.'),
  json: toggle('Prints the integrated shell as JSON, in the format of the REST API.'),
} as const;
