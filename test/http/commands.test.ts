/**
 * Tests the routes that run commands, with a real server and a real bash: what is run, collected, interrupted and
 * rejected.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';
import { runs } from '../deep.js';
import { eventually } from '../eventually.js';

/** Limits only a failing test. */
const LONG_MS = 100_000;
/** How often a race is tried. */
const ROUNDS = 5;
const CALLERS = runs({ normal: 8, deep: 20 });
const DIRECTORY = '/usr/share';

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterAll(stopServers);
const api = () => server.api;

const execIn = (id: string, command: string, more: object = {}) =>
  api().post(`/api/terminals/${id}/exec`, { command, timeoutMs: LONG_MS, ...more });
const run = async (id: string, command: string, more: object = {}) => (await execIn(id, command, more)).body.data;
const collect = async (id: string, commandId: number, query: object = {}) =>
  (await api().get(`/api/terminals/${id}/commands/${commandId}/result`, { timeoutMs: LONG_MS, ...query })).body.data;

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at)).join('\n');

describe('POST …/exec', () => {
  it('answers with output, exit code and directory, and keeps the state of the shell', async () => {
    const id = await api().create({ cwd: '/' });
    const first = await run(id, `cd ${DIRECTORY}; GREETING=hello; printf 'a\\nb\\n'; (exit 7)`);
    expect(first).toMatchObject({ terminalId: id, output: 'a\nb', exitCode: 7, cwd: DIRECTORY, completed: true });
    expect(first).toMatchObject({ state: 'completed', signal: null, waiting: null, truncated: false, totalLines: 2 });
    expect(await run(id, 'echo "$GREETING in $PWD"')).toMatchObject({ output: `hello in ${DIRECTORY}`, exitCode: 0 });
  });

  it('accepts any text, and returns the requested part of the output', async () => {
    const id = await api().create();
    const text = 'for n in 1 2 3 4 5; do\n  # a comment\n  echo "line $n!"\ndone; cat <<END\nlast\nEND';
    expect((await run(id, text)).output).toBe('line 1!\nline 2!\nline 3!\nline 4!\nline 5!\nlast');
    const tail = await run(id, text, { mode: 'tail', tailLines: 2 });
    expect(tail).toMatchObject({ output: 'line 5!\nlast', truncated: true, totalLines: 6 });
  });

  it('returns all of 1000 lines, and of more the first 200 and the last 800', async () => {
    const id = await api().create();
    const all = await run(id, 'seq 1 1000');
    expect(all).toMatchObject({ truncated: false, linesOmitted: 0, cutBy: null, totalLines: 1000 });
    expect(all.output).toBe(numbers(1, 1000));
    const cut = await run(id, 'seq 1 100000');
    expect(cut.output).toBe(`${numbers(1, 200)}\n... [99000 lines omitted] ...\n${numbers(99_201, 100_000)}`);
    expect(cut).toMatchObject({ truncated: true, linesOmitted: 99_000, cutBy: null, hasMore: false });
    expect((await collect(id, cut.commandId)).output).toBe(cut.output);
    const ten = await run(id, 'seq 1 100', { maxLines: 10 });
    expect(ten.output).toBe(`1\n2\n... [90 lines omitted] ...\n${numbers(93, 100)}`);
    const onwards = await collect(id, cut.commandId, { since: 50_000 });
    expect(onwards).toMatchObject({ output: numbers(50_001, 51_000), hasMore: true, cutBy: 'maxLines' });
  });

  it('returns as many lines as requested, and names the limit', async () => {
    const id = await api().create();
    expect((await run(id, 'seq 1 100000', { tailLines: 5000 })).output).toBe(numbers(95_001, 100_000));
    expect((await run(id, 'seq 1 100000', { headLines: 3000 })).output).toBe(numbers(1, 3000));
    const both = await run(id, 'seq 1 100000', { tailLines: 5000, maxLines: 10 });
    expect(both).toMatchObject({ output: numbers(99_991, 100_000), linesOmitted: 99_990, cutBy: 'maxLines' });
    const long = await run(id, `printf '%0100d\\n' $(seq 1 5000)`, { tailLines: 5000, maxBytes: 10_100 });
    expect(long).toMatchObject({ truncated: true, linesOmitted: 4900, cutBy: 'maxBytes' });
  });

  it.each<[string, object]>([
    ['headLines', { mode: 'tail', headLines: 3 }],
    ['tailLines', { mode: 'full', tailLines: 3 }],
    ['maxLines', { format: 'raw', maxLines: 3 }],
    ['mode', { format: 'raw', mode: 'head-tail' }],
  ])('refuses %s where it would have no effect, and runs nothing', async (field, part) => {
    const id = await api().create();
    for (const path of [`/api/terminals/${id}/exec`, '/api/exec', '/api/run']) {
      const { status, body } = await api().post(path, { command: 'true', ...part });
      expect([status, body.error.code, body.error.details.issues]).toEqual([
        400,
        'INVALID_INPUT',
        [expect.objectContaining({ field: `body.${field}` })],
      ]);
    }
    expect((await api().get(`/api/terminals/${id}/commands`)).body.data.count).toBe(0);
  });

  it('lets other work happen while long output is put together', async () => {
    const id = await api().create();
    await execIn(id, 'seq 100000', { maxLines: 1 });
    let turns = 0;
    let isOver = false;
    setImmediate(function count() {
      turns++;
      if (!isOver) setImmediate(count);
    });
    const request = { mode: 'full', maxLines: 1_000_000, maxBytes: 4 << 20, timeoutMs: 0 } as const;
    const { output } = await server.manager.collect(id, 1, request);
    isOver = true;
    expect(output).toHaveLength(588_894);
    expect(turns).toBeGreaterThan(40);
  });

  it('leaves a command running after the timeout, to be collected', async () => {
    const id = await api().create();
    // The timeout starts with the call, so the shell must be ready by then.
    await run(id, 'true');
    const begun = await run(id, 'echo begun; sleep 1000', { timeoutMs: 0 });
    await api().post(`/api/terminals/${id}/wait`, { regex: '^begun$', fromOffset: 0 });
    expect(begun).toMatchObject({ completed: false, exitCode: null, state: 'running', via: null });
    const { body } = await api().post(`/api/terminals/${id}/commands/${begun.commandId}/interrupt`);
    expect(body).toMatchObject({ message: 'Command interrupted successfully', data: { interrupted: true } });
    const { cursor, commandId } = begun;
    expect(await collect(id, commandId)).toMatchObject({ completed: true, exitCode: 130, via: 'prompt' });
    expect((await collect(id, commandId)).output).toMatch(/^begun\n/);
    expect((await collect(id, commandId, { cursor })).output).not.toMatch(/^egun/);
  });

  it('returns immediately with `detach`', async () => {
    const id = await api().create();
    const marker = join(server.dataDir, 'go');
    const begun = await run(id, `echo begun; until [ -e '${marker}' ]; do sleep 0.05; done; echo gone`, {
      detach: true,
    });
    expect(begun).toMatchObject({ completed: false, commandId: 1 });
    const collecting = collect(id, 1);
    const other = await api().create();
    await run(other, `touch '${marker}'`);
    expect(await collecting).toMatchObject({ completed: true, exitCode: 0, output: 'begun\ngone' });
    expect(existsSync(marker)).toBe(true);
  });

  it('reports a question, accepts the typed answer, and continues', async () => {
    const id = await api().create();
    const asked = await run(id, 'read -r -p "Name? " name; echo "hello $name"');
    expect(asked).toMatchObject({ completed: false, state: 'waiting', waiting: { kind: 'line', certain: true } });
    await api().type(id, 'Ada');
    const { cursor, commandId } = asked;
    expect((await collect(id, commandId, { cursor })).output).toContain('hello Ada');
  });

  it('refuses a second command while one runs, and names that one', async () => {
    const id = await api().create();
    const { commandId } = await run(id, 'sleep 1000', { detach: true });
    const { status, body } = await execIn(id, 'echo two');
    expect([status, body.error.code]).toEqual([409, 'TERMINAL_BUSY']);
    expect(body.error.details).toMatchObject({ terminalId: id, commandId, text: 'sleep 1000' });
    await api().post(`/api/terminals/${id}/commands/${commandId}/interrupt`);
    expect(await collect(id, commandId)).toMatchObject({ exitCode: 130, completed: true });
    expect(await run(id, 'echo three')).toMatchObject({ output: 'three', commandId: commandId + 1 });
  });

  it.each([
    [{}, 'body.command'],
    [{ command: 5 }, 'body.command'],
    [{ command: 'a\0b' }, 'body.command'],
    [{ command: 'ls', timeoutMs: -1 }, 'body.timeoutMs'],
    [{ command: 'ls', timeoutMs: 3_600_001 }, 'body.timeoutMs'],
    [{ command: 'ls', timeout: 5 }, 'body.timeout'],
    [{ command: 'ls', mode: 'most' }, 'body.mode'],
  ])('describes the problem with %j', async (body, field) => {
    const id = await api().create();
    const answer = await api().post(`/api/terminals/${id}/exec`, body);
    expect([answer.status, answer.body.error.details.issues[0].field]).toEqual([400, field]);
  });

  it('reports a terminal without shell integration', async () => {
    const program = await api().create({ command: 'cat' });
    const plain = await api().create({ integration: false });
    for (const id of [program, plain]) {
      const { status, body } = await execIn(id, 'ls');
      expect([status, body.error.code]).toEqual([409, 'NOT_INTEGRATED']);
    }
    const { status, body } = await execIn('no-such-terminal', 'ls');
    expect([status, body.error.code]).toEqual([404, 'TERMINAL_NOT_FOUND']);
  });

  it('lets the command continue after its caller disconnects', async () => {
    const id = await api().create();
    const marker = join(server.dataDir, 'later');
    const command = `until [ -e '${marker}' ]; do sleep 0.05; done; echo done`;
    const body = JSON.stringify({ command, timeoutMs: LONG_MS });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const request = httpRequest(`${server.url}/api/terminals/${id}/exec`, { method: 'POST', headers });
    const gone = once(request, 'error');
    request.end(body);
    await waiting(1);
    request.destroy();
    await gone;
    await waiting(0);
    await run(await api().create(), `touch '${marker}'`);
    expect(await collect(id, 1)).toMatchObject({ completed: true, exitCode: 0, output: 'done' });
  });

  it('accepts one of many concurrent callers, and never confuses their answers', async () => {
    const id = await api().create();
    const callers = Array.from({ length: CALLERS }, (_, caller) => caller);
    const numbers: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const told = await Promise.all(
        callers.map((caller) => untilRun(id, `for n in 1 2 3; do echo ${round}.${caller}; done`)),
      );
      for (const [caller, { output, commandId }] of told.entries()) {
        expect(output).toBe([1, 2, 3].map(() => `${round}.${caller}`).join('\n'));
        numbers.push(commandId);
      }
    }
    numbers.sort((a, b) => a - b);
    expect(new Set(numbers).size).toBe(ROUNDS * callers.length);
    const { commands } = (await api().get(`/api/terminals/${id}/commands`)).body.data;
    expect(commands.map(({ commandId }: { commandId: number }) => commandId)).toEqual(numbers);
  });

  /** Retries while another command runs, waiting for that one. */
  async function untilRun(id: string, command: string) {
    for (;;) {
      const { status, body } = await execIn(id, command);
      if (status === 200) return body.data;
      expect(body.error.code).toBe('TERMINAL_BUSY');
      const { commandId } = body.error.details;
      if (commandId !== null) await collect(id, commandId);
    }
  }
});

describe('POST /api/exec', () => {
  it('creates a terminal that is kept on request, and names it', async () => {
    const { status, body, headers } = await api().post('/api/exec', {
      command: 'pwd; echo $GREETING',
      keep: true,
      terminal: { cwd: DIRECTORY, env: { GREETING: 'hello' } },
    });
    const { terminalId } = body.data;
    expect([status, headers['location']]).toEqual([201, `/api/terminals/${terminalId}`]);
    expect(body.data).toMatchObject({ output: `${DIRECTORY}\nhello`, exitCode: 0, commandId: 1 });
    expect(await run(terminalId, 'echo "still $GREETING"')).toMatchObject({ output: 'still hello', commandId: 2 });
  });

  it.each([
    [{ command: 'ls', terminal: { command: 'cat' } }, 'body.terminal.command'],
    [{ command: 'ls', terminal: { integration: false } }, 'body.terminal.integration'],
    [{ command: 'ls', terminal: { shell: '/no/such/shell' } }, 'shell'],
    [{ command: 'ls', terminal: { colour: 'red' } }, 'body.terminal.colour'],
    [{ command: 'ls', cwd: '/tmp', terminal: { cwd: '/' } }, 'body.cwd'],
    [{ command: 'ls', terminal: { endsWithCommand: false } }, 'body.terminal.endsWithCommand'],
  ])('refuses %j with its name', async (body, field) => {
    const answer = await api().post('/api/exec', body);
    expect([answer.status, answer.body.error.details.issues[0].field]).toEqual([400, field]);
  });

  it('leaves no terminal if nothing could be run', async () => {
    const before = (await server.manager.list()).length;
    const { body } = await api().post('/api/exec', { command: 'ls', terminal: { args: ['-c', 'cat'] } });
    expect(body.error).toMatchObject({ code: 'NOT_INTEGRATED', message: expect.stringContaining('it was removed') });
    expect(await server.manager.list()).toHaveLength(before);
  });
});

describe('POST /api/run', () => {
  const runProgram = (body: object) => api().post('/api/run', { timeoutMs: LONG_MS, ...body });

  it('answers with output and exit code, and passes arguments unchanged', async () => {
    const script = 'printf "%s|" "$0" "$@"; pwd; exit 3';
    const { status, body, headers } = await runProgram({
      command: 'sh',
      args: ['-c', script, '$HOME', "it's"],
      cwd: '/usr',
    });
    expect([status, headers['location']]).toEqual([201, `/api/terminals/${body.data.terminalId}`]);
    expect(body.data).toMatchObject({ output: "$HOME|it's|/usr", exitCode: 3, signal: null, completed: true });
    expect(body.data).toMatchObject({ state: 'completed', waiting: null, totalLines: 1, hasMore: false });
  });

  it('reports the signal that ended the program', async () => {
    const { body } = await runProgram({ command: 'sh', args: ['-c', 'kill -KILL $$'] });
    expect(body.data).toMatchObject({ completed: true, exitCode: null, signal: 'SIGKILL' });
  });

  it('reports a question, and the program continues', async () => {
    const { body } = await runProgram({
      command: 'sh',
      args: ['-c', 'printf "Name? "; read -r name; echo "hello $name"'],
    });
    const { terminalId, cursor } = body.data;
    expect(body.data).toMatchObject({
      output: 'Name? ',
      completed: false,
      state: 'waiting',
      waiting: { kind: 'line' },
    });
    await api().type(terminalId, 'Ada');
    expect((await api().post(`/api/terminals/${terminalId}/wait`, {})).body.data).toMatchObject({
      reason: 'exit',
      exitCode: 0,
    });
    expect((await api().get(`/api/terminals/${terminalId}/output`, { cursor })).body.data.output).toMatch(/hello Ada$/);
  });

  it('lets the program continue after the timeout', async () => {
    const { body } = await runProgram({ command: 'sleep', args: ['1000'], timeoutMs: 0 });
    expect(body.data).toMatchObject({ completed: false, state: 'running', exitCode: null });
    expect((await server.manager.get(body.data.terminalId)).status).toBe('active');
  });

  it.each([
    [{}, 'body.command'],
    [{ command: 'ls', shell: 'bash' }, 'body.shell'],
    [{ command: '/no/such/program' }, 'command'],
  ])('describes the problem with %j', async (body, field) => {
    const answer = await runProgram(body);
    expect([answer.status, answer.body.error.details.issues[0].field]).toEqual([400, field]);
  });
});

it('counts a wait for a command as a waiting request', async () => {
  const small = await startServer({ engine: { maxWaitingReads: 1, defaultShell: '/bin/bash' } });
  const id = await small.api.create();
  const first = small.api.post(`/api/terminals/${id}/exec`, { command: 'sleep 1000', timeoutMs: LONG_MS });
  await eventually(async () => (await small.manager.summary()).waitingReads === 1);
  const { status, body } = await small.api.get(`/api/terminals/${id}/commands/1/result`, { timeoutMs: LONG_MS });
  expect([status, body.error.details.limit]).toEqual([409, 'TENACITTY_MAX_WAITING_READS']);
  const now = await small.api.get(`/api/terminals/${id}/commands/1/result`);
  expect(now.body.data).toMatchObject({ completed: false, state: 'running' });
  await small.close();
  expect((await first).body.data).toMatchObject({ completed: false, commandId: 1 });
});

/** Resolves when the manager reports this number of waits. */
async function waiting(count: number): Promise<void> {
  await eventually(async () => (await server.manager.summary()).waitingReads === count);
}

describe('POST …/integrate', () => {
  it('makes commands run in a nested shell, and in the outer one after it has ended', async () => {
    const id = await api().create({ cwd: DIRECTORY });
    await run(id, 'bash --norc', { detach: true });
    const { status, body } = await api().post(`/api/terminals/${id}/integrate`, { timeoutMs: LONG_MS });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ terminalId: id, within: 1, kind: 'bash', cwd: DIRECTORY });
    expect(await run(id, 'exit 4')).toMatchObject({ within: 1, exitCode: null, via: 'exit', shellExited: false });
    expect(await collect(id, 1)).toMatchObject({ exitCode: 4, within: null });
  });

  it('is refused if there is no nested shell, and if the request makes no sense', async () => {
    const id = await api().create();
    await run(id, 'true');
    const none = await api().post(`/api/terminals/${id}/integrate`, {});
    expect([none.status, none.body.error.code]).toEqual([409, 'NOT_INTEGRATED']);
    const wrong = await api().post(`/api/terminals/${id}/integrate`, { as: 'perl' });
    expect([wrong.status, wrong.body.error.details.issues[0].field]).toEqual([400, 'body.as']);
  });
});
