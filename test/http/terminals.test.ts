import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer({ engine: { maxTerminals: 60 } })));
afterAll(stopServers);
const api = () => server.api;

describe('POST /api/terminals', () => {
  it('answers 201 with exactly the six fields of the original specification and the URL of the terminal', async () => {
    const { status, body, headers } = await api().post('/api/terminals', { shell: '/bin/sh', cwd: '/' });
    expect(status).toBe(201);
    expect(Object.keys(body.data)).toEqual(['terminalId', 'pid', 'shell', 'cwd', 'created', 'status']);
    expect(body.data).toMatchObject({ shell: '/bin/sh', cwd: '/', status: 'active' });
    expect(headers['location']).toBe(`/api/terminals/${body.data.terminalId}`);
  });

  it('accepts a missing body, and an empty one', async () => {
    expect((await api().post('/api/terminals')).status).toBe(201);
    expect((await api().post('/api/terminals', {})).status).toBe(201);
  });

  it('applies directory, environment and size', async () => {
    const cwd = realpathSync(mkdtempSync(`${tmpdir()}/tenacitty-cwd-`));
    const id = await api().create({ cwd, env: { COLOUR: 'teal' }, cols: 101, rows: 7 });
    await api().type(id, 'echo "$COLOUR in $PWD is $(stty size)"');
    await api().readUntil(id, `teal in ${cwd} is 7 101`);
  });

  it('runs a command instead of a shell', async () => {
    const id = await api().create({ command: 'sh', args: ['-c', 'exit 7'] });
    expect(await api().ended(id)).toMatchObject({ status: 'exited', exitCode: 7, signal: null });
  });

  it('names a shell, a program or a directory that cannot be used', async () => {
    for (const body of [{ shell: '/no/such/shell' }, { command: '/etc/passwd' }, { cwd: '/no/such/directory' }]) {
      const { status, body: answer } = await api().post('/api/terminals', body);
      expect([status, answer.error.code]).toEqual([400, 'INVALID_INPUT']);
      expect(answer.error.message).toContain(Object.values(body)[0]);
    }
  });

  it('names the limit if there are too many', async () => {
    const full = await startServer({ engine: { maxTerminals: 1 } });
    await full.api.create();
    const { status, body } = await full.api.post('/api/terminals');
    expect([status, body.error.code, body.error.details.limit]).toEqual([
      409,
      'LIMIT_REACHED',
      'TENACITTY_MAX_TERMINALS',
    ]);
  });
});

describe('GET /api/terminals', () => {
  it('returns those with all the requested labels, each `label=NAME=VALUE`', async () => {
    const both = await api().create({ labels: { project: 'web', note: 'a=b & c' } });
    const one = await api().create({ labels: { project: 'web' } });
    const ids = async (query: string) =>
      (await api().get(`/api/terminals?${query}`)).body.data.terminals.map(({ id }: { id: string }) => id);
    expect(await ids('label=project=web')).toEqual([both, one]);
    expect(await ids('label=project=web&label=note=a%3Db+%26+c')).toEqual([both]);
    expect(await ids('label=project=')).toEqual([]);
    expect((await api().get(`/api/terminals/${both}`)).body.data.labels).toEqual({ project: 'web', note: 'a=b & c' });
  });

  it.each(['label=project', 'label==web', 'label=a%20b=1', 'label=a=%0A', 'label='])('refuses %s', async (query) => {
    const { status, body } = await api().get(`/api/terminals?${query}`);
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'INVALID_INPUT',
      expect.stringContaining('label'),
    ]);
  });

  it('lists terminals with the seven fields of the original specification, how each ended, and their count', async () => {
    const id = await api().create({ cwd: '/' });
    const { body } = await api().get('/api/terminals');
    expect(body.data.count).toBe(body.data.terminals.length);
    const found = body.data.terminals.find((terminal: { id: string }) => terminal.id === id);
    const seven = ['id', 'pid', 'shell', 'cwd', 'created', 'lastActivity', 'status'];
    expect(Object.keys(found).slice(0, 7)).toEqual(seven);
    expect(found).toMatchObject({
      terminalId: id,
      cwd: '/',
      startCwd: '/',
      exitCode: null,
      signal: null,
      endedBy: null,
      labels: {},
      lastCommand: null,
    });
  });

  it('lists terminals by status, and page by page', async () => {
    const labels = { listed: 'by-page' };
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await api().create({ command: 'cat', labels }));
    const ended = await api().create({ command: 'sh', args: ['-c', 'exit 7'], labels });
    await eventually(async () => (await api().get(`/api/terminals/${ended}`)).body.data.status === 'exited');
    const list = async (query: object) => {
      const { body } = await api().get('/api/terminals', { label: 'listed=by-page', ...query });
      return [body.data.terminals.map(({ terminalId }: { terminalId: string }) => terminalId), body.data.hasMore];
    };
    expect(await list({ limit: 2 })).toEqual([ids.slice(0, 2), true]);
    expect(await list({ limit: 2, after: ids[1] })).toEqual([[ids[2], ended], false]);
    expect(await list({ status: 'active' })).toEqual([ids, false]);
    expect(await list({ status: 'active', after: ids[0], limit: 1 })).toEqual([[ids[1]], true]);
    expect(await list({ status: 'exited' })).toEqual([[ended], false]);
    const { body } = await api().get('/api/terminals', { status: 'exited', label: 'listed=by-page' });
    expect(body.data.terminals[0]).toMatchObject({ exitCode: 7, signal: null, endedBy: { reason: 'exit' }, labels });
    const gone = await api().get('/api/terminals', { after: 'nobody' });
    expect([gone.status, gone.body.error.code]).toEqual([404, 'TERMINAL_NOT_FOUND']);
  });

  it('supports 50 terminals created at once, each with its own output', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, (_, at) => api().run(`echo mine is ${at}.; read x`)));
    expect(new Set(ids).size).toBe(50);
    await Promise.all(ids.map((id, at) => api().readUntil(id, `mine is ${at}.`)));
    await Promise.all(ids.map((id) => api().delete(`/api/terminals/${id}`)));
    const { body } = await api().get('/api/terminals');
    expect(body.data.terminals.filter(({ id }: { id: string }) => ids.includes(id))).toEqual([]);
  });
});

describe('GET /api/terminals/:terminalId', () => {
  it('returns everything about a terminal', async () => {
    const id = await api().create({ shell: '/bin/sh', args: [], cols: 90, rows: 20 });
    await api().type(id, 'echo said-$((20+1))');
    await api().readUntil(id, 'said-21');
    const { body } = await api().get(`/api/terminals/${id}`);
    expect(body.data).toMatchObject({ id, cols: 90, rows: 20, exitCode: null, ended: null, inputCount: 1 });
    expect(body.data.recentInputs).toHaveLength(1);
  });
});

describe('POST /api/terminals/:terminalId/input', () => {
  it('adds the Enter that text needs to run', async () => {
    const id = await api().create({ cwd: '/' });
    const { status, body } = await api().post(`/api/terminals/${id}/input`, { input: 'echo ran-$((6*7))' });
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: 'Input sent successfully' });
    await api().readUntil(id, 'ran-42');
  });

  it('sends control characters and named keys unchanged', async () => {
    for (const stop of [{ input: '\x03' }, { keys: ['ctrl-c'] }]) {
      const id = await api().run('trap "echo stopped; exit 3" INT; echo waiting; while :; do sleep 0.05; done');
      await api().readUntil(id, 'waiting');
      await api().post(`/api/terminals/${id}/input`, stop);
      await api().readUntil(id, 'stopped');
      expect(await api().ended(id)).toMatchObject({ exitCode: 3 });
    }
  });

  it('types without Enter on request', async () => {
    const id = await api().create();
    await api().post(`/api/terminals/${id}/input`, { input: 'echo not', enter: false });
    await api().post(`/api/terminals/${id}/input`, { input: '-yet-$((1+1))' });
    await api().readUntil(id, 'not-yet-2');
  });

  it('refuses a terminal whose program has ended, and an unknown key', async () => {
    const ended = await api().run('exit 0');
    await api().ended(ended);
    const late = await api().post(`/api/terminals/${ended}/input`, { input: 'x' });
    expect([late.status, late.body.error.code]).toEqual([409, 'TERMINAL_INACTIVE']);
    const id = await api().create();
    const wrong = await api().post(`/api/terminals/${id}/input`, { keys: ['ctrl-nonsense'] });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('PUT /api/terminals/:terminalId/size', () => {
  it('resizes the screen and notifies the program', async () => {
    const id = await api().create();
    const { body } = await api().put(`/api/terminals/${id}/size`, { cols: 133, rows: 11 });
    expect(body).toEqual({ success: true, message: 'Terminal resized successfully' });
    await api().type(id, 'stty size');
    await api().readUntil(id, '11 133');
  });
});

describe('POST /api/terminals/:terminalId/signal', () => {
  it('sends a signal to the foreground processes only', async () => {
    const id = await api().run('trap "echo heard" USR1; echo waiting; while :; do sleep 0.05; done');
    await api().readUntil(id, 'waiting');
    const { body } = await api().post(`/api/terminals/${id}/signal`, { signal: 'SIGUSR1', target: 'all' });
    expect(body).toEqual({ success: true, message: 'Signal sent successfully' });
    await api().readUntil(id, 'heard');
    expect((await api().get(`/api/terminals/${id}`)).body.data.status).toBe('active');
  });
});

describe('DELETE /api/terminals/:terminalId', () => {
  it('ends the program and removes the terminal', async () => {
    const id = await api().create();
    const { status, body } = await api().delete(`/api/terminals/${id}`);
    expect([status, body]).toEqual([200, { success: true, message: 'Terminal terminated successfully' }]);
    expect((await api().get(`/api/terminals/${id}`)).status).toBe(404);
    expect((await api().delete(`/api/terminals/${id}`)).status).toBe(404);
  });

  it('keeps the terminal readable on request, and starts with the requested signal', async () => {
    const id = await api().run('trap "echo bye; exit 9" INT; echo up; while :; do sleep 0.05; done');
    await api().readUntil(id, 'up');
    await api().delete(`/api/terminals/${id}`, { query: { keep: true }, body: { signal: 'SIGINT', graceMs: 30_000 } });
    const { body } = await api().get(`/api/terminals/${id}/output`);
    expect(body.data).toMatchObject({ isActive: false, exitCode: 9 });
    expect(body.data.output).toContain('bye');
  });
});

it('reports an unknown terminal on every route for a terminal', async () => {
  const calls = [
    api().get('/api/terminals/nobody'),
    api().post('/api/terminals/nobody/input', { input: 'x' }),
    api().put('/api/terminals/nobody/size', { cols: 80, rows: 24 }),
    api().post('/api/terminals/nobody/signal', { signal: 'SIGINT' }),
    api().get('/api/terminals/nobody/output'),
    api().delete('/api/terminals/nobody/output'),
    api().get('/api/terminals/nobody/screen'),
    api().get('/api/terminals/nobody/stats'),
    api().delete('/api/terminals/nobody'),
  ];
  for (const { status, body } of await Promise.all(calls)) {
    expect([status, body.error.code]).toEqual([404, 'TERMINAL_NOT_FOUND']);
    expect(body.error.message).toContain('nobody');
  }
});
