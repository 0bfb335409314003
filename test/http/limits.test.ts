/** Tests that each fixed limit in docs/rest.md is the actual one, and that exceeding it is answered as documented. */
import { readFileSync } from 'node:fs';
import { startServer, type ServerUnderTest } from './server-under-test.js';

/** Room for the longest command. */
const MAX_BODY_BYTES = 4 << 20;

let server: ServerUnderTest;
let id: string;
beforeAll(async () => {
  server = await startServer({ http: { maxBodyBytes: MAX_BODY_BYTES } });
  id = await server.api.create();
});
afterAll(() => server.stop());

/** The rows of the table: a field and its maximum. */
const section = readFileSync('docs/rest.md', 'utf8').split('All other limits are fixed.')[1]!.split('## Scenarios')[0]!;
const rows = [...section.matchAll(/^\| (`\w+`.*?) \| ([\d, ]+)/gm)].flatMap(([, fields, most]) => {
  const names = [...fields!.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  const numbers = most!.split(', ').map((number) => Number(number.replaceAll(',', '')));
  return names.map((name, at): [string, number] => [name, numbers[at] ?? numbers[0]!]);
});

const body = (path: string, fields: object) => server.api.post(`/api/terminals${path}`, fields);
const query = (path: string, fields: object) => server.api.get(`/api/terminals/${id}${path}`, { ...fields });

/** Requests with a value of the given size. */
const ASKS: Readonly<Record<string, (value: number) => ReturnType<typeof body>>> = {
  command: (length) => body(`/${id}/exec`, { command: ' '.repeat(length) }),
  timeoutMs: (timeoutMs) => query('/output', { timeoutMs }),
  maxLines: (maxLines) => query('/output', { maxLines }),
  headLines: (headLines) => body(`/${id}/exec`, { command: 'true', headLines }),
  tailLines: (tailLines) => query('/output', { tailLines }),
  maxBytes: (maxBytes) => query('/output', { maxBytes }),
  limit: (limit) => query('/commands', { limit }),
  contextLines: (contextLines) => query('/search', { text: 'x', contextLines }),
  maxMatches: (maxMatches) => query('/search', { text: 'x', maxMatches }),
  text: (length) => query('/search', { text: 'x'.repeat(length) }),
  regex: (length) => body(`/${id}/wait`, { regex: 'x'.repeat(length) }),
  cols: (cols) => body('', { cols }),
  rows: (count) => body('', { rows: count }),
  keys: (length) => body(`/${id}/input`, { keys: Array.from({ length }, () => 'up') }),
  graceMs: (graceMs) => server.api.delete(`/api/terminals/${id}`, { body: { graceMs } }),
};

it('has a row for each of them', () => {
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(ASKS).sort());
});

it.each(rows)('refuses %s beyond %i, naming both', async (name, most) => {
  const answer = await ASKS[name]!(most + 1);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
  const [issue] = answer.body.error.details.issues;
  expect(issue).toMatchObject({
    field: expect.stringContaining(name),
    expected: expect.stringContaining(`most ${most}`),
  });
});

it.each([
  ['timeoutMs', '/commands/1/result'],
  ['timeoutMs', '/commands/1/output'],
])('has one maximum %s for all waits: %s', async (name, path) => {
  const answer = await query(path, { [name]: 3_600_001 });
  expect(answer.body.error.details.issues[0]).toMatchObject({ field: `query.${name}`, expected: 'at most 3600000' });
});
