/** Tests the REST interface of hooks: what is accepted, what is shown, and how they are stored. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '../../src/access/key-file.js';
import { MAX_HOOKS, MAX_HOOKS_PER_KEY } from '../../src/contract/hooks.js';
import { startServer, stopServers } from './server-under-test.js';
import type { ServerUnderTest } from './server-under-test.js';

const URL = 'https://example.com/hook';

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer()));
afterEach(() => stopServers());

it('shows the secret only when a hook is created', async () => {
  const { status, body, headers } = await server.api.post('/api/hooks', { on: ['ended'], url: URL });
  const { secret, ...hook } = body.data;
  expect([status, headers['location']]).toEqual([201, `/api/hooks/${hook.id}`]);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(hook).toMatchObject({
    on: ['ended'],
    url: URL,
    filter: {},
    active: true,
    state: { pending: 0, lastError: null },
  });
  const listed = await server.api.get('/api/hooks');
  expect(listed.body.data).toEqual({ hooks: [hook], count: 1 });
});

it('removes a hook', async () => {
  const { id } = (await server.api.post('/api/hooks', { on: ['ended'], url: URL })).body.data;
  expect((await server.api.delete(`/api/hooks/${id}`)).status).toBe(200);
  expect((await server.api.get('/api/hooks')).body.data.count).toBe(0);
  expect((await server.api.delete(`/api/hooks/${id}`)).body.error.code).toBe('HOOK_NOT_FOUND');
  expect((await server.api.delete('/api/hooks/..%2Fx')).body.error.code).toBe('INVALID_INPUT');
});

it.each([
  [{ on: [] }, 'on'],
  [{ on: ['started'] }, 'on'],
  [{ on: ['ended'], url: undefined }, 'url'],
  [{ on: ['ended'], exec: 'true' }, 'url'],
  [{ on: ['ended'], url: 'ftp://example.com/' }, 'url'],
  [{ on: ['ended'], url: 'file:///etc/passwd' }, 'url'],
  [{ on: ['ended'], url: 'https://ada:secret@example.com/' }, 'url'],
  [{ on: ['ended'], failed: true }, 'failed'],
  [{ on: ['ended'], longerThanMs: 1 }, 'longerThanMs'],
  [{ on: ['match'] }, 'pattern'],
  [{ on: ['ended'], pattern: 'x' }, 'pattern'],
  [{ on: ['quiet'] }, 'quietMs'],
  [{ on: ['quiet'], quietMs: 10 }, 'quietMs'],
  [{ on: ['ended'], secret: 'whsec_c2hvcnQ=' }, 'secret'],
  [{ on: ['ended'], url: undefined, exec: 'true', secret: `whsec_${'A'.repeat(32)}` }, 'secret'],
  [{ on: ['ended'], include: 'all' }, 'include'],
  [{ on: ['ended'], filter: { ids: [] } }, 'filter'],
])('refuses %j, and names the field', async (request, field) => {
  const { status, body } = await server.api.post('/api/hooks', { url: URL, ...request });
  expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
  expect(body.error.details.issues[0].field).toContain(`body.${field}`);
});

it('stores hooks in files that no other user can open', async () => {
  await server.api.post('/api/hooks', { on: ['ended'], url: URL });
  const directory = join(server.dataDir, 'hooks');
  const modes = ['', ...readdirSync(directory)].map((name) =>
    (statSync(join(directory, name)).mode & 0o777).toString(8),
  );
  expect(modes.sort()).toEqual(['600', '700', '700']);
});

it('has a limit on their number, however many are created at once', async () => {
  const create = () => server.api.post('/api/hooks', { on: ['ended'], url: URL });
  const answers = await Promise.all(Array.from({ length: MAX_HOOKS + 50 }, create));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_HOOKS);
  const { status, body } = await create();
  expect([status, body.error]).toMatchObject([409, { code: 'LIMIT_REACHED', details: { limit: 'MAX_HOOKS' } }]);
  expect((await server.api.get('/api/hooks')).body.data.count).toBe(MAX_HOOKS);
});

it('leaves hooks to others, however many are created with one key', async () => {
  const { key } = createKey(server.dataDir, 'greedy');
  const body = { on: ['ended'], url: 'https://1.1.1.1/hook' };
  const create = () => server.api.call('post', '/api/hooks', { body, headers: { 'X-API-Key': key } });
  const answers = await Promise.all(Array.from({ length: MAX_HOOKS_PER_KEY + 10 }, create));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_HOOKS_PER_KEY);
  const refused = answers.find(({ status }) => status !== 201)!;
  expect(refused.body.error).toMatchObject({ code: 'LIMIT_REACHED', details: { limit: 'MAX_HOOKS_PER_KEY' } });
  const other = { body, headers: { 'X-API-Key': createKey(server.dataDir, 'other').key } };
  expect((await server.api.call('post', '/api/hooks', other)).status).toBe(201);
});
