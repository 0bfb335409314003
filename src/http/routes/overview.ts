/**
 * Routes for a page about many terminals: the overview, and answering questions. These routes contain no logic of their
 * own.
 */
import { z } from 'zod';
import type { OverviewTerminal } from '../../contract/overview.js';
import { terminalId } from '../../contract/terminal.js';
import { managerFilter, terminalFilter } from '../../contract/terminal-filter.js';
import { answerQuestion } from '../../contract/waiting.js';
import { dataOf, done, messageOf, ok, route } from '../route.js';
import { overviewRow } from './terminal-forms.js';
import { oneTerminal, SUMMARY_EXAMPLE } from './terminals.js';
import { behind, named } from './terminal-page.js';

const MAX_SHOWN = 1000;
const DEFAULT_SHOWN = 100;

const QUESTION_EXAMPLE = {
  id: 'q-7f3a',
  kind: 'line',
  by: 'cp',
  certain: true,
  since: '2025-10-03T12:05:00.000Z',
  prompt: 'Overwrite? [y/N]',
} as const;

const { lastCommand: LAST_COMMAND_EXAMPLE, ...TERMINAL_EXAMPLE } = SUMMARY_EXAMPLE;
const ROW_EXAMPLE = {
  ...TERMINAL_EXAMPLE,
  cols: 80,
  rows: 24,
  title: '',
  viewers: 1,
  totalLines: 150,
  foreground: { pid: 12399, name: 'node' },
  holder: null,
  waiting: QUESTION_EXAMPLE,
  lastCommand: { ...LAST_COMMAND_EXAMPLE, started: '2025-10-03T12:04:00.000Z', ended: null },
  ports: [5173],
  lines: ['Local: http://localhost:5173/', 'Overwrite? [y/N] '],
};

/** Sorts terminals; with `name`, those without a name come last. */
const ORDERS = {
  created: (a, b) => compare(a.created, b.created),
  activity: (a, b) => compare(b.lastActivity, a.lastActivity),
  name: (a, b) => compare(a.name ?? '\uffff', b.name ?? '\uffff'),
} as const satisfies Record<string, (a: OverviewTerminal, b: OverviewTerminal) => number>;
const orderName = z.enum(Object.keys(ORDERS) as [keyof typeof ORDERS, ...(keyof typeof ORDERS)[]]);

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const overview = route({
  method: 'get',
  path: '/api/overview',
  name: 'overview',
  tag: 'All terminals',
  summary: 'Get an overview',
  description:
    "Returns what a page about many terminals shows: each terminal's last command, the question that its program " +
    'is asking, its holder, its ports and its last lines. Page with `after` while `hasMore` is true.',
  query: z.strictObject({
    ...terminalFilter.shape,
    sort: orderName
      .default('created')
      .describe('`created`: oldest first. `activity`: most recently active first. `name`: alphabetically.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_SHOWN)
      .default(DEFAULT_SHOWN)
      .describe('Maximum number of terminals in the response.'),
    after: terminalId.optional().describe('Only terminals after this one: the last `terminalId` of the previous page.'),
  }),
  answer: dataOf(
    z.strictObject({
      terminals: z.array(overviewRow),
      asOf: z.iso.datetime().describe('The overview may not reflect events that happened after this time.'),
      hasMore: z.boolean().describe('Whether there are more terminals.'),
    }),
  ),
  errors: ['TERMINAL_NOT_FOUND'],
  example: {
    query: { status: 'active' },
    answer: {
      success: true,
      data: { terminals: [ROW_EXAMPLE], asOf: '2025-10-03T12:05:01.000Z', hasMore: false },
    },
  },
  async handle({ query: { sort, limit, after, ...filter }, service }) {
    const asOf = new Date().toISOString();
    const shown = await service.manager.overview(managerFilter(filter));
    const rest = behind(shown.toSorted(ORDERS[sort]), after);
    return ok({ terminals: rest.slice(0, limit).map(named), asOf, hasMore: rest.length > limit });
  },
});

const ANSWERED = 'Answer sent successfully';

const answer = route({
  method: 'post',
  path: '/api/terminals/:terminalId/answer',
  name: 'answerQuestion',
  tag: 'All terminals',
  summary: 'Answer a question',
  description:
    "Types the answer to a program's question, which `waiting` identifies. If the program is no longer asking this " +
    'question, nothing is typed. You can answer while another caller holds the terminal. The answer is neither ' +
    'logged nor kept.',
  params: oneTerminal,
  body: answerQuestion,
  answer: messageOf(ANSWERED),
  errors: ['TERMINAL_NOT_FOUND', 'TERMINAL_INACTIVE', 'NOT_WAITING', 'COMMAND_DENIED', 'LIMIT_REACHED', 'WRITE_FAILED'],
  example: { body: { waiting: QUESTION_EXAMPLE.id, text: 'y' }, answer: { success: true, message: ANSWERED } },
  async handle({ params, body, service }) {
    await service.manager.answer(params.terminalId, body);
    return done(ANSWERED);
  },
});

export const overviewRoutes = [overview, answer];
