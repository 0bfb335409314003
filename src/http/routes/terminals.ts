/**
 * Routes for terminals: creating, listing, describing, typing, resizing, signalling and ending them. These routes only
 * translate between HTTP and the manager.
 */
import { z } from 'zod';
import { terminalName } from '../../contract/name.js';
import { labelsOf, labelText, MAX_LABELS } from '../../contract/labels.js';
import {
  createdTerminal,
  createTerminal,
  killTerminal,
  sendSignal,
  terminalId,
  terminalIdOrName,
  terminalInput,
  terminalSize,
  terminalStatus,
  updateTerminal,
  type TerminalDetail,
} from '../../contract/terminal.js';
import { CREATION_ERRORS, listedTerminal, shownTerminal } from './terminal-forms.js';
import { behind, named } from './terminal-page.js';
import { dataOf, done, messageOf, ok, route } from '../route.js';

export const oneTerminal = z.strictObject({ terminalId: terminalIdOrName });

const MAX_LISTED = 1000;

export const SUMMARY_EXAMPLE = {
  id: 'abc-123',
  pid: 12345,
  shell: '/bin/bash',
  cwd: '/path/to/project/web',
  created: '2025-10-03T12:00:00.000Z',
  lastActivity: '2025-10-03T12:05:00.000Z',
  status: 'active',
  startCwd: '/path/to/project',
  exitCode: null,
  signal: null,
  endedBy: null,
  name: 'web',
  labels: { project: 'web' },
  lastCommand: { commandId: 3, text: 'npm run dev', state: 'running', exitCode: null },
  createdBy: { name: 'ada', door: 'rest' },
  terminalId: 'abc-123',
};

const DETAIL_EXAMPLE = {
  ...SUMMARY_EXAMPLE,
  args: [],
  cols: 80,
  rows: 24,
  title: '',
  ended: null,
  history: 'disk',
  integrated: true,
  viewers: 1,
  holder: null,
  foreground: { pid: 12399, name: 'node' },
  totalLines: 150,
  totalBytes: 5000,
  inputCount: 1,
  timeLimitMs: null,
  recentInputs: [{ time: '2025-10-03T12:00:05.000Z', bytes: 12 }],
  lastTypedBy: { name: 'ada', door: 'live' },
};

const create = route({
  method: 'post',
  path: '/api/terminals',
  name: 'createTerminal',
  takesKey: true,
  tag: 'Terminals',
  summary: 'Create a terminal',
  description:
    'Starts a shell, or the program `command`, in a new terminal. The terminal keeps running when the client ' +
    'disconnects and when the server stops. The body and all its fields are optional.',
  body: createTerminal,
  status: 201,
  answer: dataOf(createdTerminal),
  errors: CREATION_ERRORS,
  example: {
    body: { cwd: '/tmp', env: { NODE_ENV: 'development' }, cols: 80, rows: 24 },
    answer: {
      success: true,
      data: {
        terminalId: 'abc-123',
        pid: 12345,
        shell: '/bin/bash',
        cwd: '/tmp',
        created: '2025-10-03T12:00:00.000Z',
        status: 'active',
      },
    },
  },
  async handle({ body, signal, service, setHeader }) {
    const terminal = await service.manager.create(body, { signal });
    setHeader('Location', `/api/terminals/${terminal.id}`);
    return ok(created(terminal));
  },
});

function created({ id, pid, shell, cwd, startCwd, created, status }: TerminalDetail) {
  return { terminalId: id, pid, shell, cwd: cwd ?? startCwd, created, status };
}

const list = route({
  method: 'get',
  path: '/api/terminals',
  name: 'listTerminals',
  tag: 'Terminals',
  summary: 'List terminals',
  description:
    'Lists all terminals, oldest first, including ended and lost ones that can still be read. Page with `after` ' +
    'while `hasMore` is true.',
  errors: ['TERMINAL_NOT_FOUND'],
  query: z.strictObject({
    label: z
      .array(labelText)
      .max(MAX_LABELS)
      .optional()
      .describe('Only terminals with this label, `NAME=VALUE`. Repeat it to require several labels.'),
    name: terminalName.optional().describe('Only terminals with this name, of which at most one runs.'),
    status: terminalStatus.optional().describe('Only terminals with this status.'),
    limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED).describe('Maximum number of terminals in the response.'),
    after: terminalId.optional().describe('Only terminals after this one: the last `terminalId` of the previous page.'),
  }),
  answer: dataOf(
    z.strictObject({
      terminals: z.array(listedTerminal),
      count: z.int().describe('Number of terminals in this response.'),
      hasMore: z.boolean().describe('Whether there are more terminals.'),
    }),
  ),
  example: { answer: { success: true, data: { terminals: [SUMMARY_EXAMPLE], count: 1, hasMore: false } } },
  async handle({ query: { label, name, status, limit, after }, service }) {
    const labels = label && labelsOf(label);
    const all = behind(await service.manager.list({ labels, name }), after);
    const requested = status === undefined ? all : all.filter((terminal) => terminal.status === status);
    const terminals = requested.slice(0, limit).map(named);
    return ok({ terminals, count: terminals.length, hasMore: requested.length > limit });
  },
});

const get = route({
  method: 'get',
  path: '/api/terminals/:terminalId',
  name: 'getTerminal',
  tag: 'Terminals',
  summary: 'Get a terminal',
  description: 'Returns everything known about a terminal.',
  params: oneTerminal,
  answer: dataOf(shownTerminal),
  errors: ['TERMINAL_NOT_FOUND'],
  example: { answer: { success: true, data: DETAIL_EXAMPLE } },
  async handle({ params, service }) {
    return ok(named(await service.manager.get(params.terminalId)));
  },
});

const update = route({
  method: 'patch',
  path: '/api/terminals/:terminalId',
  name: 'updateTerminal',
  tag: 'Terminals',
  summary: 'Update a terminal',
  description: 'Changes the name and labels of a running or ended terminal. Omitted fields keep their values.',
  params: oneTerminal,
  body: updateTerminal,
  answer: dataOf(shownTerminal),
  errors: ['TERMINAL_NOT_FOUND', 'NAME_TAKEN'],
  example: {
    body: { name: 'web', labels: { project: 'web', task: null } },
    answer: { success: true, data: DETAIL_EXAMPLE },
  },
  async handle({ params, body, service }) {
    return ok(named(await service.manager.update(params.terminalId, body)));
  },
});

const INPUT_SENT = 'Input sent successfully';

const input = route({
  method: 'post',
  path: '/api/terminals/:terminalId/input',
  name: 'sendInput',
  takesKey: true,
  tag: 'Terminals',
  summary: 'Type into a terminal',
  description:
    'Types text, named keys, or text followed by keys. The response means that the input has been queued in order, ' +
    'not that the program has read it.',
  params: oneTerminal,
  body: terminalInput,
  answer: messageOf(INPUT_SENT),
  errors: [
    'TERMINAL_NOT_FOUND',
    'TERMINAL_INACTIVE',
    'TERMINAL_HELD',
    'COMMAND_DENIED',
    'LIMIT_REACHED',
    'WRITE_FAILED',
  ],
  example: { body: { input: 'npm start' }, answer: { success: true, message: INPUT_SENT } },
  async handle({ params, body, service }) {
    await service.manager.write(params.terminalId, body);
    return done(INPUT_SENT);
  },
});

const RESIZED = 'Terminal resized successfully';

const resize = route({
  method: 'put',
  path: '/api/terminals/:terminalId/size',
  name: 'resizeTerminal',
  tag: 'Terminals',
  summary: 'Resize a terminal',
  description:
    'Sets the size of the screen and notifies the program (SIGWINCH). If several sizes are requested at once, only ' +
    'the last may take effect.',
  params: oneTerminal,
  body: terminalSize,
  answer: messageOf(RESIZED),
  errors: ['TERMINAL_NOT_FOUND', 'TERMINAL_INACTIVE', 'TERMINAL_HELD'],
  example: { body: { cols: 120, rows: 40 }, answer: { success: true, message: RESIZED } },
  async handle({ params, body, service }) {
    await service.manager.resize(params.terminalId, body);
    return done(RESIZED);
  },
});

const SIGNALLED = 'Signal sent successfully';

const signal = route({
  method: 'post',
  path: '/api/terminals/:terminalId/signal',
  name: 'signalTerminal',
  tag: 'Terminals',
  summary: 'Send a signal',
  description: 'Sends one signal without waiting or escalating.',
  params: oneTerminal,
  body: sendSignal,
  answer: messageOf(SIGNALLED),
  errors: ['TERMINAL_NOT_FOUND', 'TERMINAL_INACTIVE'],
  example: { body: { signal: 'SIGINT', target: 'foreground' }, answer: { success: true, message: SIGNALLED } },
  async handle({ params, body, service }) {
    await service.manager.signal(params.terminalId, body);
    return done(SIGNALLED);
  },
});

const TERMINATED = 'Terminal terminated successfully';

const terminate = route({
  method: 'delete',
  path: '/api/terminals/:terminalId',
  name: 'terminateTerminal',
  tag: 'Terminals',
  summary: 'Terminate a terminal',
  description:
    'Ends the program and every process that it started, with `signal` and, after `graceMs`, SIGKILL. Responds when ' +
    'all have exited, and removes the terminal unless `keep=true`. The body is optional.',
  params: oneTerminal,
  query: z.strictObject({
    keep: z.boolean().default(false).describe('true: the terminal remains and can still be read.'),
  }),
  body: killTerminal,
  answer: messageOf(TERMINATED),
  errors: ['TERMINAL_NOT_FOUND', 'KILL_FAILED'],
  example: { body: { signal: 'SIGTERM' }, answer: { success: true, message: TERMINATED } },
  async handle({ params, query, body, service }) {
    if (query.keep) await service.manager.kill(params.terminalId, body);
    else await service.manager.remove(params.terminalId, body);
    return done(TERMINATED);
  },
});

export const terminalRoutes = [create, list, get, update, input, resize, signal, terminate];
