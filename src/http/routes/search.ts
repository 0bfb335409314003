/** Routes that search one history or all histories. These routes only translate between HTTP and the manager. */
import { z } from 'zod';
import { MAX_SEARCHES_AT_ONCE, searchAll } from '../../calls/search-all.js';
import { foundItem, searchAll as searchAllQuery } from '../../contract/search-all.js';
import { MAX_SEARCH_MS, searchOutput, searchResult } from '../../contract/search.js';
import { JSON_LINES, type ServerEvent } from '../event-stream.js';
import { dataOf, errorForm, ok, route, type EventKind } from '../route.js';
import { RECORD_EXAMPLE } from '../docs/command-examples.js';
import { oneTerminal } from './terminals.js';

const search = route({
  method: 'get',
  path: '/api/terminals/:terminalId/search',
  name: 'searchOutput',
  tag: 'Output',
  summary: 'Search output',
  description:
    'Finds lines that contain a string or match an expression, in the whole history (memory, disk and screen) or in ' +
    'the output of one command. If `hasMore` is true, continue with `nextFromLine` as `fromLine`.',
  params: oneTerminal,
  query: searchOutput,
  answer: dataOf(searchResult),
  errors: ['TERMINAL_NOT_FOUND', 'COMMAND_NOT_FOUND', 'LIMIT_REACHED', 'READ_FAILED'],
  example: {
    query: { text: 'error', ignoreCase: true, contextLines: 1 },
    answer: {
      success: true,
      data: {
        matches: [
          {
            line: 117,
            text: 'src/app.ts(3,7): error TS2322',
            before: ['> tsc'],
            after: [''],
            truncated: false,
          },
        ],
        fromLine: 0,
        toLine: 149,
        hasMore: false,
        nextFromLine: 150,
        mutableFrom: 126,
        droppedLines: 0,
      },
    },
  },
  async handle({ params, query, signal, service, expectWait }) {
    expectWait(MAX_SEARCH_MS);
    return ok(await service.manager.search(params.terminalId, query, { signal }));
  },
});

const ID = 'abc-123';
const EXAMPLES = {
  match: { terminalId: ID, line: 117, text: 'src/app.ts(3,7): error TS2322', before: [], after: [], truncated: false },
  command: { terminalId: ID, command: RECORD_EXAMPLE },
  skipped: { terminalId: ID, code: 'HOST_UNRESPONSIVE', message: '…' },
  progress: { terminalId: ID, lines: 150, isComplete: true },
  end: { searched: 12, matches: 1, next: null },
};

const SEARCH_EVENTS: Readonly<Record<string, EventKind>> = {
  ...Object.fromEntries(foundItem.options.map((item) => [item.shape.type.value, eventOf(item)])),
  failed: {
    meaning: 'Last: an error during the search.',
    data: errorForm.shape.error,
    example: { code: 'INTERNAL_ERROR', message: '…', details: {} },
  },
};

function eventOf(item: (typeof foundItem.options)[number]): EventKind {
  const { type, ...fields } = item.shape;
  return { meaning: item.description ?? '', data: z.strictObject(fields), example: EXAMPLES[type.value] };
}

const all = route({
  method: 'get',
  path: '/api/search',
  name: 'searchAll',
  tag: 'All terminals',
  summary: 'Search all terminals',
  description:
    'Searches the whole history of every terminal and, with `commands`, the text of commands. Returns each match ' +
    'as soon as it is found: in line order within a terminal, in no particular order across terminals. The search ' +
    'ends after `limit` matches or 30 seconds.',
  query: searchAllQuery,
  mediaType: JSON_LINES,
  answer: z.string(),
  errors: ['LIMIT_REACHED'],
  example: {
    query: { text: 'error', status: 'active' },
    answer: [
      { type: 'match', ...EXAMPLES.match },
      { type: 'end', ...EXAMPLES.end },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  },
  handle: () => '',
  stream: {
    events: SEARCH_EVENTS,
    waits: MAX_SEARCHES_AT_ONCE,
    async *open({ query, signal, service }): AsyncGenerator<ServerEvent> {
      for await (const { type, ...data } of searchAll(service.manager, query, { signal })) yield { event: type, data };
    },
  },
});

export const searchRoutes = [search, all];
