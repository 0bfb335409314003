/**
 * The routes that run commands: in a terminal there is, in a new one. They translate between the wire and what is asked
 * of the manager, and hold no logic of their own.
 */
import { execInNewTerminal, followExecInNewTerminal } from '../../calls/exec-in-new-terminal.js';
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

/** What is told of a command that is followed. */
export const COMMAND_EVENTS: Readonly<Record<string, EventKind>> = {
  started: { meaning: 'First of all: which command it is.', data: commandStarted, example: STARTED_EXAMPLE },
  output: {
    meaning: 'What it has printed since the last one, as it comes: all of it, in the `format` asked for.',
    data: outputPiece,
    example: PIECE_EXAMPLE,
  },
  result: {
    meaning: 'Last of all: it has ended, waits for input, or the time is over.',
    data: followedResult,
    example: FOLLOWED_RESULT_EXAMPLE,
  },
  failed: {
    meaning: 'Last of all, where something went wrong after the start.',
    data: errorForm.shape.error,
    example: { code: 'HOST_LOST', message: '…', details: {} },
  },
};

/** What is told of a program that is followed. */
const PROGRAM_EVENTS: Readonly<Record<string, EventKind>> = {
  started: {
    meaning: 'First of all: which terminal it is in.',
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
    'Runs a command in the shell of a terminal, and answers when it has ended, when it waits for input, or when the ' +
    'time is over: then it goes on, and its result can be collected later. Directory, variables and functions stay for ' +
    'the next command. A command that fails is no error: see `exitCode`. One command at a time: while one runs, the ' +
    'next is refused with `TERMINAL_BUSY`. Going away ends the wait, never the command.',
  params: oneTerminal,
  body: execCommand,
  answer: dataOf(commandResult),
  errors: [
    'TERMINAL_NOT_FOUND',
    'TERMINAL_INACTIVE',
    'TERMINAL_BUSY',
    'NOT_INTEGRATED',
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
    'Makes a terminal with a shell, as `terminal` describes it, and runs a command there. When the command has ended, ' +
    'whenever that is and whether this server runs or not, the terminal ends as by `DELETE` with `keep=true`: with all ' +
    'that the command left in the background, and it can still be read; `terminalId` says which it is. With `keep` it ' +
    'stays, for the next command. Where the command cannot be begun none is left.',
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
    'Starts a program in a new terminal of its own, and answers when it has ended, when it waits for input, or when the ' +
    'time is over: then it goes on; wait for it and read its output as of any terminal. No shell reads `command` and ' +
    '`args`, so there is nothing to quote, and `signal` is that of the program itself. The terminal stays.',
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
    open: ({ body, signal, service }) => withIds(followProgram(service.manager, body, { signal })),
  },
});

export const execRoutes = [exec, execInNew, run];
