/** The route that searches a history. It translates between HTTP and the manager. */
import { MAX_SEARCH_MS, searchOutput, searchResult } from '../../contract/search.js';
import { dataOf, ok, route } from '../route.js';
import { oneTerminal } from './terminals.js';

const search = route({
  method: 'get',
  path: '/api/terminals/:terminalId/search',
  name: 'searchOutput',
  tag: 'Output',
  summary: 'Search output',
  description:
    'Finds lines that contain a text or match an expression, in the whole history (memory, disk and screen) or ' +
    'in the output of one command. If `hasMore`, continue with `nextFromLine` as `fromLine`.',
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

export const searchRoutes = [search];
