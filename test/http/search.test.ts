/** Tests GET /api/terminals/:id/search: it returns what the manager returns, from a query string. */
import { startServer, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
let id: string;
beforeAll(async () => {
  server = await startServer();
  id = await server.api.create({ command: 'sh', args: ['-c', 'printf "one + one\\nTWO\\n\\nthree\\n"'] });
  await server.api.ended(id);
});
afterAll(() => server.stop());

const search = (query: string) => server.api.get(`/api/terminals/${id}/search?${query}`);

it('returns the lines with their context', async () => {
  const { status, body } = await search('text=one+%2B&contextLines=1');
  expect(status).toBe(200);
  expect(body.data.matches).toEqual([{ line: 0, text: 'one + one', before: [], after: ['TWO'], truncated: false }]);
  expect(body.data).toMatchObject({ fromLine: 0, hasMore: false, droppedLines: 0 });
});

it.each([
  ['regex=%5Et&ignoreCase=true', [1, 3]],
  ['regex=%5Et', [3]],
  ['text=e&fromLine=1', [3]],
  ['text=e&toLine=1', [0]],
  ['text=e&maxMatches=1', [0]],
  ['text=4', []],
])('supports %s', async (query, lines) => {
  const { body } = await search(query);
  expect(body.data.matches.map(({ line }: { line: number }) => line)).toEqual(lines);
});

it.each(['', 'text=a&regex=b', 'regex=(', 'text=', 'text=a&contextLines=99', 'text=a&ignoreCase=1', 'q=a', 'text=%0A'])(
  'refuses %s',
  async (query) => {
    const { status, body } = await search(query);
    expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
  },
);

it('reports a missing command or terminal', async () => {
  expect((await search('text=a&commandId=7')).body.error.code).toBe('COMMAND_NOT_FOUND');
  const { status, body } = await server.api.get('/api/terminals/nobody/search?text=a');
  expect([status, body.error.code]).toEqual([404, 'TERMINAL_NOT_FOUND']);
});
