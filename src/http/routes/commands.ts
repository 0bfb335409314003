/**
 * Routes for commands: listing them, reading their state and output, interrupting one, and waiting for an event. These
 * routes only translate between HTTP and the manager.
 */
import { z } from 'zod';
import { WAITS_OF_FOLLOW } from '../../calls/follow.js';
import { followCommand } from '../../calls/follow-command.js';
import {
  collectCommand,
  commandNumber,
  commandRecord,
  commandResult,
  integratedShell,
  integrateShell,
  pageOfCommands,
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
import { positionAfter, withIds } from '../event-ids.js';
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
    'Lists the commands that callers ran or people typed in a terminal, oldest first: the newest `limit` commands ' +
    'or, with `after`, the next `limit`. The newest 1000 are kept, even after the terminal has ended. Without shell ' +
    'integration, the list is empty.',
  params: oneTerminal,
  query: pageOfCommands,
  answer: dataOf(
    z.strictObject({
      commands: z.array(commandRecord),
      count: z.int(),
      hasMore: z.boolean().describe('Whether there are more commands: newer ones with `after`, otherwise older ones.'),
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

/**
 * Returns a request for one more command than those listed, to find out whether there are more: with `after`, the next
 * one; otherwise the oldest.
 */
function nextTo(commands: readonly CommandRecord[], { after }: ListCommands): ListCommands {
  return { after: after === undefined ? 0 : (commands.at(-1)?.commandId ?? after), limit: 1 };
}

const get = route({
  method: 'get',
  path: '/api/terminals/:terminalId/commands/:commandId',
  name: 'getCommand',
  tag: 'Commands',
  summary: 'Get a command',
  description: 'Returns the record of a command: its text, times, end, directory and place in the output.',
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
  summary: 'Read the output of a command',
  description: 'Returns the output of one command, without prompt and echo. Lines are numbered from 0.',
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
    'Returns the result of any command, even one that is still running or that a person typed. With `timeoutMs`, ' +
    'waits until the command ends or asks for input. A stream resumes after the event in the `Last-Event-ID` ' +
    'header, which EventSource sends when it reconnects; if nothing can follow, the response is 204, which stops ' +
    'EventSource.',
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
    waits: WAITS_OF_FOLLOW,
    open: ({ params, query, signal, service, lastEventId }) => {
      const request = { ...query, ...positionAfter(lastEventId) };
      return withIds(followCommand(service.manager, params.terminalId, params.commandId, request, { signal }));
    },
  },
});

const INTERRUPTED = 'Command interrupted successfully';
const NOT_INTERRUPTED = 'Nothing was interrupted: the command has ended, or a nested command is in the foreground';

const interrupt = route({
  method: 'post',
  path: '/api/terminals/:terminalId/commands/:commandId/interrupt',
  name: 'interruptCommand',
  tag: 'Commands',
  summary: 'Interrupt a command',
  description:
    'Types the interrupt key (usually Ctrl-C) if this command is still running; otherwise `interrupted` is false. A ' +
    'program may ignore the key; collect the result to find out.',
  params: oneCommand,
  answer: z.strictObject({
    success: z.literal(true),
    message: z.enum([INTERRUPTED, NOT_INTERRUPTED]),
    data: z.strictObject({ interrupted: z.boolean().describe('Whether the key was typed.') }),
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
  summary: 'Use a nested shell',
  description:
    'Makes `exec` run commands in a nested shell or REPL (`ssh`, `sudo -s`, `docker exec`, `python3`, `node`) until ' +
    'it ends. tenacitty sets it up by typing at its prompt, and writes no file on its machine. The call is ' +
    'idempotent, and shells can nest further.',
  params: oneTerminal,
  body: integrateShell,
  answer: dataOf(integratedShell),
  errors: [
    'TERMINAL_NOT_FOUND',
    'TERMINAL_INACTIVE',
    'NOT_INTEGRATED',
    'TERMINAL_HELD',
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
  summary: 'Wait for a condition',
  description:
    "Waits until one of the given conditions is met, the terminal's program ends, or the timeout expires; `reason` " +
    'says which. Pass `offset` as the next `fromOffset` to miss nothing between two calls.',
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
