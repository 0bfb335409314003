/**
 * Routes that run commands and programs, in an existing terminal or a new one. These routes only translate between HTTP
 * and the manager.
 */
import { execInNewTerminal, followExecInNewTerminal } from '../../calls/exec-in-new-terminal.js';
import { WAITS_OF_FOLLOW } from '../../calls/follow.js';
import { followExec } from '../../calls/follow-command.js';
import { followProgram, runProgram } from '../../calls/run-program.js';
import { commandResult, execCommand, execInNewTerminal as execInNewTerminalBody } from '../../contract/command.js';
import { commandStarted, followedResult, outputPiece } from '../../contract/command-stream.js';
import {
  followedProgram,
  programResult,
  programStarted,
  runProgram as runProgramBody,
} from '../../contract/program.js';
import {
  FOLLOWED_PROGRAM_EXAMPLE,
  FOLLOWED_RESULT_EXAMPLE,
  PIECE_EXAMPLE,
  PROGRAM_EXAMPLE,
  PROGRAM_PIECE_EXAMPLE,
  PROGRAM_STARTED_EXAMPLE,
  RESULT_EXAMPLE,
  STARTED_EXAMPLE,
} from '../docs/command-examples.js';
import { withIds } from '../event-ids.js';
import { dataOf, errorForm, ok, route, type EventKind } from '../route.js';
import { oneTerminal } from './terminals.js';
import { CREATION_ERRORS } from './terminal-forms.js';

/** The events in the stream of a command. */
export const COMMAND_EVENTS: Readonly<Record<string, EventKind>> = {
  started: { meaning: 'First: the command that was started.', data: commandStarted, example: STARTED_EXAMPLE },
  output: {
    meaning: 'New output, complete, in the requested `format`.',
    data: outputPiece,
    example: PIECE_EXAMPLE,
  },
  result: {
    meaning: 'Last: the command has ended or is asking for input, or the timeout has expired.',
    data: followedResult,
    example: FOLLOWED_RESULT_EXAMPLE,
  },
  failed: {
    meaning: 'Last: an error after the start.',
    data: errorForm.shape.error,
    example: { code: 'HOST_LOST', message: '…', details: {} },
  },
};

/** The events in the stream of a program. */
const PROGRAM_EVENTS: Readonly<Record<string, EventKind>> = {
  started: {
    meaning: 'First: the terminal that the program runs in.',
    data: programStarted,
    example: PROGRAM_STARTED_EXAMPLE,
  },
  output: { ...COMMAND_EVENTS['output']!, example: PROGRAM_PIECE_EXAMPLE },
  result: { ...COMMAND_EVENTS['result']!, data: followedProgram, example: FOLLOWED_PROGRAM_EXAMPLE },
  failed: COMMAND_EVENTS['failed']!,
};

const exec = route({
  method: 'post',
  path: '/api/terminals/:terminalId/exec',
  name: 'execCommand',
  takesKey: true,
  tag: 'Commands',
  summary: 'Run a command',
  description:
    "Runs a command in a terminal's shell. Responds when the command has ended or is waiting for input, or after " +
    '`timeoutMs`; the command then continues, and you can collect its result later. The directory, variables and ' +
    'functions persist between commands. A failed command is not an error: see `exitCode`. A shell runs one command ' +
    'at a time; another `exec` fails with `TERMINAL_BUSY`. If the client disconnects, the command continues.',
  params: oneTerminal,
  body: execCommand,
  answer: dataOf(commandResult),
  errors: [
    'TERMINAL_NOT_FOUND',
    'TERMINAL_INACTIVE',
    'TERMINAL_BUSY',
    'NOT_INTEGRATED',
    'TERMINAL_HELD',
    'COMMAND_DENIED',
    'LIMIT_REACHED',
  ],
  example: { body: { command: 'ls' }, answer: { success: true, data: RESULT_EXAMPLE } },
  async handle({ params, body, signal, service, expectWait }) {
    expectWait(body.timeoutMs);
    return ok(await service.manager.exec(params.terminalId, body, { signal }));
  },
  stream: {
    events: COMMAND_EVENTS,
    waits: WAITS_OF_FOLLOW,
    open: ({ params, body, signal, service }) =>
      withIds(followExec(service.manager, params.terminalId, body, { signal })),
  },
});

const execInNew = route({
  method: 'post',
  path: '/api/exec',
  name: 'execInNewTerminal',
  takesKey: true,
  tag: 'Commands',
  summary: 'Run a command in a new terminal',
  description:
    'Creates a terminal with a shell and runs a command in it. When the command ends, the terminal and all ' +
    'background processes end, even if the server has stopped by then; the output stays readable under ' +
    '`terminalId`. With `keep`, the shell remains for the next command. If the command cannot start, the terminal is ' +
    'removed.',
  body: execInNewTerminalBody,
  status: 201,
  answer: dataOf(commandResult),
  errors: [...CREATION_ERRORS, 'TERMINAL_INACTIVE', 'TERMINAL_BUSY', 'NOT_INTEGRATED'],
  example: {
    body: { command: 'ls', cwd: '/tmp' },
    answer: { success: true, data: RESULT_EXAMPLE },
  },
  async handle({ body, signal, service, setHeader, expectWait }) {
    expectWait(body.timeoutMs);
    const result = await execInNewTerminal(service.manager, body, { signal });
    setHeader('Location', `/api/terminals/${result.terminalId}`);
    return ok(result);
  },
  stream: {
    events: COMMAND_EVENTS,
    waits: WAITS_OF_FOLLOW,
    open: ({ body, signal, service }) => withIds(followExecInNewTerminal(service.manager, body, { signal })),
  },
});

const run = route({
  method: 'post',
  path: '/api/run',
  name: 'runProgram',
  takesKey: true,
  tag: 'Commands',
  summary: 'Run a program without a shell',
  description:
    'Starts a program in a new terminal. Responds when the program has ended or is waiting for input, or after ' +
    '`timeoutMs`; the program then continues, and you can wait for it and read its output. No shell is involved: ' +
    '`args` need no quotes, and `signal` refers to the program itself. The terminal remains.',
  body: runProgramBody,
  status: 201,
  answer: dataOf(programResult),
  errors: [...CREATION_ERRORS, 'READ_FAILED'],
  example: {
    body: { command: 'ls', args: ['-l', 'a file'], cwd: '/tmp' },
    answer: { success: true, data: PROGRAM_EXAMPLE },
  },
  async handle({ body, signal, service, setHeader, expectWait }) {
    expectWait(body.timeoutMs);
    const result = await runProgram(service.manager, body, { signal });
    setHeader('Location', `/api/terminals/${result.terminalId}`);
    return ok(result);
  },
  stream: {
    events: PROGRAM_EVENTS,
    waits: WAITS_OF_FOLLOW,
    open: ({ body, signal, service }) => withIds(followProgram(service.manager, body, { signal })),
  },
});

export const execRoutes = [exec, execInNew, run];
