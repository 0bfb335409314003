/** Tests names in the REST API: a name is accepted wherever an id is, and answers contain the id. */
import { startServer, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.stop());
const api = () => server.api;
const path = (terminal: string, rest = '') => `/api/terminals/${terminal}${rest}`;

it('are accepted by every route of a terminal, instead of its id', async () => {
  const id = await api().create({ name: 'every.route', shell: '/bin/sh' });
  const at = (rest: string) => path('every.route', rest);
  expect((await api().post(at('/exec'), { command: 'echo said; cd /' })).body.data).toMatchObject({
    ...{ terminalId: id, output: 'said' },
  });
  for (const rest of ['', '/output', '/output?mode=tail', '/screen', '/stats', '/commands', '/commands/1']) {
    expect([rest, (await api().get(at(rest))).status]).toEqual([rest, 200]);
  }
  expect((await api().get(at('/search?text=said'))).body.data.matches).not.toEqual([]);
  expect((await api().get(at('/commands/1/result'))).body.data.terminalId).toBe(id);
  expect((await api().put(at('/size'), { cols: 90, rows: 20 })).status).toBe(200);
  expect((await api().post(at('/wait'), { idleMs: 1 })).status).toBe(200);
  expect((await api().post(at('/input'), { input: 'exit 3' })).status).toBe(200);
  await api().ended(id);
  expect((await api().delete(at(''))).status).toBe(200);
  expect((await api().get(path(id))).status).toBe(404);
});

it('select the model of a terminal, also for a command in a new one', async () => {
  await api().create({ name: 'model', cwd: '/usr', shell: '/bin/sh' });
  const { body } = await api().post('/api/terminals', { like: 'model' });
  expect(body.data.cwd).toBe('/usr');
  const ran = await api().post('/api/exec', { command: 'pwd', terminal: { like: 'model', name: 'ran' } });
  expect(ran.body.data.output).toBe('/usr');
  expect((await api().get(path('ran'))).body.data).toMatchObject({ terminalId: ran.body.data.terminalId, name: 'ran' });
  expect((await api().post('/api/terminals', { like: 'no-such-model' })).body.error.code).toBe('TERMINAL_NOT_FOUND');
});

it('are given to the terminal of a program', async () => {
  const { body } = await api().post('/api/run', { command: 'true', name: 'program' });
  expect((await api().get(path('program'))).body.data.terminalId).toBe(body.data.terminalId);
});

it('and labels are changed by PATCH, and shown in lists', async () => {
  const id = await api().create({ command: 'cat', name: 'before', labels: { a: '1', b: '2' } });
  const { status, body } = await api().patch(path('before'), { name: 'after', labels: { b: null, c: '3' } });
  expect([status, body.data.terminalId, body.data.name, body.data.labels]).toEqual([
    ...[200, id, 'after', { a: '1', c: '3' }],
  ]);
  const listed = await api().get('/api/terminals', { name: 'after' });
  expect(listed.body.data.terminals).toMatchObject([{ terminalId: id, name: 'after', labels: { a: '1', c: '3' } }]);
  expect((await api().get('/api/terminals', { name: 'before' })).body.data.count).toBe(0);
  expect((await api().get(path('before'))).status).toBe(404);
  expect((await api().patch(path(id), { name: null })).body.data.name).toBeNull();
  expect((await api().patch(path(id), {})).body.data.labels).toEqual({ a: '1', c: '3' });
});

it('that are taken are refused with the terminal that has them', async () => {
  const terminalId = await api().create({ command: 'cat', name: 'taken' });
  const other = await api().create({ command: 'cat' });
  const wishes = [
    api().post('/api/terminals', { command: 'cat', name: 'taken' }),
    api().post('/api/exec', { command: 'true', terminal: { name: 'taken' } }),
    api().post('/api/run', { command: 'true', name: 'taken' }),
    api().patch(path(other), { name: 'taken' }),
  ];
  for (const { status, body } of await Promise.all(wishes)) {
    expect([status, body.error.code, body.error.details]).toEqual([409, 'NAME_TAKEN', { name: 'taken', terminalId }]);
  }
});

it.each([
  ['an unknown field', { title: 'x' }, 'body.title'],
  ['a name like an id', { name: 'cafe' }, 'body.name'],
  ['a name of two words', { name: 'a b' }, 'body.name'],
  ['a label that is a number', { labels: { a: 1 } }, 'body.labels.a'],
  ['labels that are a list', { labels: ['a'] }, 'body.labels'],
])('refuses %s', async (_what, body, field) => {
  const id = await api().create({ command: 'cat' });
  const answer = await api().patch(path(id), body);
  expect([answer.status, answer.body.error.details.issues[0].field]).toEqual([400, field]);
});

it('that are unknown lead to TERMINAL_NOT_FOUND on every route', async () => {
  const calls = [
    api().get(path('nobody')),
    api().post(path('nobody', '/exec'), { command: 'true' }),
    api().patch(path('nobody'), { name: 'x1' }),
    api().delete(path('nobody')),
    api().get(path('NOBODY')),
  ];
  for (const { status, body } of await Promise.all(calls)) {
    expect([status, body.error.code]).toEqual([404, 'TERMINAL_NOT_FOUND']);
  }
});

it('are logged as the terminal that they refer to', async () => {
  const id = await api().create({ command: 'cat', name: 'logged' });
  await api().put(path('logged', '/size'), { cols: 90, rows: 20 });
  const line = server.logLines
    .map((text) => JSON.parse(text))
    .find(({ path: asked }) => asked === path('logged', '/size'));
  expect(line).toMatchObject({ terminalId: id });
});
