/**
 * The routes of commands that were run: which there are, how one went, what it printed; stopping one, and waiting for
 * something to happen. They translate between the wire and the manager's interface and hold no logic of their own.
 */
import { z } from 'zod';
import { followCommand } from '../../calls/follow-command.js';
import {
  collectCommand,
  commandNumber,
  commandRecord,
  commandResult,
  integratedShell,
  integrateShell,
  listCommands,
  waitFor,
  waitResult,
} from '../../contract/command.js';
import type { CommandRecord, ListCommands } from '../../contract/command.js';
import { outputPage, readOutput } from '../../contract/output.js';
import {
  COMMAND_PAGE_EXAMPLE,
  RECORD_EXAMPLE,
  RESULT_EXAMPLE,
  SHELL_WITHIN_EXAMPLE,
  WAIT_EXAMPLE,
} from '../docs/command-examples.js';
import { placeAfter, withIds } from '../event-ids.js';
import { COMMAND_EVENTS } from './exec.js';
import { dataOf, done, ok, route } from '../route.js';
import { oneTerminal } from './terminals.js';

const oneCommand = z.strictObject({ ...oneTerminal.shape, ...commandNumber.shape });

const list = route({
  method: 'get',
  path: '/api/terminals/:terminalId/commands',
  name: 'listCommands',
  tag: 'Commands',
  summary: 'List commands',
  description:
    'The commands that were run in a terminal, oldest first: by callers, and by people at its prompt. Without `after` ' +
    'the newest `limit` of them; with `after=N` the first `limit` behind number N, to go through all of them: give the ' +
    'last number as the next `after` while `hasMore` is true. The newest 1000 are kept, also after the terminal has ' +
    'ended. Empty where no shell is followed.',
  params: oneTerminal,
  query: listCommands,
  answer: dataOf(
    z.strictObject({
      commands: z.array(commandRecord),
      count: z.int(),
      hasMore: z
        .boolean()
        .describe('Whether there are others beyond these: with `after` newer ones, without it older ones.'),
    }),
  ),
  errors: ['TERMINAL_NOT_FOUND'],
  example: {
    query: { limit: 20 },
    answer: { success: true, data: { commands: [RECORD_EXAMPLE], count: 1, hasMore: false } },
  },
  async handle({ params, query, service }) {
    const { manager } = service;
    const commands = await manager.commands(params.terminalId, query);
    const beyond = await manager.commands(params.terminalId, nextTo(commands, query));
    const hasMore = beyond.some(({ commandId }) => commands.every((one) => one.commandId !== commandId));
    return ok({ commands, count: commands.length, hasMore });
  },
});

/** Asks for one command beyond those: the next one, or without `after` the oldest. */
function nextTo(commands: readonly CommandRecord[], { after }: ListCommands): ListCommands {
  return { after: after === undefined ? 0 : (commands.at(-1)?.commandId ?? after), limit: 1 };
}

const get = route({
  method: 'get',
  path: '/api/terminals/:terminalId/commands/:commandId',
  name: 'getCommand',
  tag: 'Commands',
  summary: 'Look at one command',
  description: 'Its text, when it began and ended, how, where, and which part of the output is its own.',
  params: oneCommand,
  answer: dataOf(commandRecord),
  errors: ['TERMINAL_NOT_FOUND', 'COMMAND_NOT_FOUND'],
  example: { answer: { success: true, data: RECORD_EXAMPLE } },
  async handle({ params, service }) {
    return ok(await service.manager.command(params.terminalId, params.commandId));
  },
});

const output = route({
  method: 'get',
  path: '/api/terminals/:terminalId/commands/:commandId/output',
  name: 'readCommandOutput',
  tag: 'Commands',
  summary: 'Read the output of one command',
  description:
    'As the output of a terminal is read, but of one command alone: no prompt, no echo, nothing that others printed ' +
    'before or after it. Its lines are numbered from 0, as on a screen of its own.',
  params: oneCommand,
  query: readOutput,
  answer: dataOf(outputPage),
  errors: ['TERMINAL_NOT_FOUND', 'COMMAND_NOT_FOUND', 'LIMIT_REACHED', 'READ_FAILED'],
  example: { query: { mode: 'tail', tailLines: 30 }, answer: { success: true, data: COMMAND_PAGE_EXAMPLE } },
  async handle({ params, query, signal, service, expectWait }) {
    expectWait(query.timeoutMs);
    return ok(await service.manager.readCommand(params.terminalId, params.commandId, query, { signal }));
  },
});

const result = route({
  method: 'get',
  path: '/api/terminals/:terminalId/commands/:commandId/result',
  name: 'collectCommand',
  tag: 'Commands',
  summary: 'Collect the result of a command',
  description:
    'How a command goes or went, with its output, as running it would have answered: for one that was left running, ' +
    'that has ended long ago, or that somebody typed. With `timeoutMs` it waits for the end, or for a question. A stream ' +
    'goes on behind the event that the header `Last-Event-ID` names, as EventSource sends it when it connects again; ' +
    'where nothing can follow, the answer is 204, and EventSource comes no more.',
  params: oneCommand,
  query: collectCommand,
  answer: dataOf(commandResult),
  errors: ['TERMINAL_NOT_FOUND', 'COMMAND_NOT_FOUND', 'LIMIT_REACHED', 'READ_FAILED'],
  example: { query: { timeoutMs: 60_000 }, answer: { success: true, data: RESULT_EXAMPLE } },
  async handle({ params, query, signal, service, expectWait }) {
    expectWait(query.timeoutMs);
    return ok(await service.manager.collect(params.terminalId, params.commandId, query, { signal }));
  },
  stream: {
    events: COMMAND_EVENTS,
    open: ({ params, query, signal, service, lastEventId }) => {
      const request = { ...query, ...placeAfter(lastEventId) };
      return withIds(followCommand(service.manager, params.terminalId, params.commandId, request, { signal }));
    },
  },
});

const INTERRUPTED = 'Command interrupted successfully';
const NOT_INTERRUPTED = 'Nothing was interrupted: the command has ended, or another one within it has the terminal';

const interrupt = route({
  method: 'post',
  path: '/api/terminals/:terminalId/commands/:commandId/interrupt',
  name: 'interruptCommand',
  tag: 'Commands',
  summary: 'Interrupt a command',
  description:
    'Ctrl-C, for this command and no other: does nothing where it has ended, and says so (`interrupted` is false). What ' +
    'came of it, its result tells; a program may not heed it.',
  params: oneCommand,
  answer: z.strictObject({
    success: z.literal(true),
    message: z.enum([INTERRUPTED, NOT_INTERRUPTED]),
    data: z.strictObject({ interrupted: z.boolean().describe('Whether Ctrl-C was typed.') }),
  }),
  errors: ['TERMINAL_NOT_FOUND', 'COMMAND_NOT_FOUND'],
  example: { answer: { success: true, message: INTERRUPTED, data: { interrupted: true } } },
  async handle({ params, service }) {
    const interrupted = await service.manager.interrupt(params.terminalId, params.commandId);
    return { ...done(interrupted ? INTERRUPTED : NOT_INTERRUPTED), data: { interrupted } };
  },
});

const integrate = route({
  method: 'post',
  path: '/api/terminals/:terminalId/integrate',
  name: 'integrateShell',
  tag: 'Commands',
  summary: 'Run commands in a shell within a command',
  description:
    'Where a command has led to another shell or a REPL (`ssh`, `sudo -s`, `docker exec`, `python3`, `node`): from now ' +
    'on commands are run there, until it ends. It is found at its prompt and typed to; nothing is written on the other ' +
    'side. Asking again changes nothing. It can be done within that one, too.',
  params: oneTerminal,
  body: integrateShell,
  answer: dataOf(integratedShell),
  errors: [
    'TERMINAL_NOT_FOUND',
    'TERMINAL_INACTIVE',
    'NOT_INTEGRATED',
    'COMMAND_DENIED',
    'WRITE_FAILED',
    'LIMIT_REACHED',
  ],
  example: { body: {}, answer: { success: true, data: SHELL_WITHIN_EXAMPLE } },
  async handle({ params, body, signal, service, expectWait }) {
    expectWait(body.timeoutMs);
    return ok(await service.manager.integrate(params.terminalId, body, { signal }));
  },
});

const wait = route({
  method: 'post',
  path: '/api/terminals/:terminalId/wait',
  name: 'waitFor',
  tag: 'Commands',
  summary: 'Wait for something to happen',
  description:
    'Waits until one of the things asked for has come about, the program of the terminal has ended, or the time is over; ' +
    '`reason` says which. To miss nothing between two calls, give the `offset` of one answer as `fromOffset` of the next.',
  params: oneTerminal,
  body: waitFor,
  answer: dataOf(waitResult),
  errors: ['TERMINAL_NOT_FOUND', 'COMMAND_NOT_FOUND', 'LIMIT_REACHED', 'UNSUPPORTED_PLATFORM'],
  example: {
    body: { regex: 'localhost:(\\d+)', idleMs: 2000 },
    answer: { success: true, data: WAIT_EXAMPLE },
  },
  async handle({ params, body, signal, service, expectWait }) {
    expectWait(body.timeoutMs);
    return ok(await service.manager.wait(params.terminalId, body, { signal }));
  },
});

export const commandRoutes = [list, get, output, result, interrupt, integrate, wait];
