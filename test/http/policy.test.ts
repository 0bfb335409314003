/**
 * Tests the complete server with a policy: what is denied is rejected by every interface, and everything else works as
 * before.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskForApproval } from '../../src/access/policy/command-policy.js';
import type { CommandPolicyDescription } from '../../src/access/policy/policy-description.js';
import { resolveOptions } from '../../src/config.js';
import { startServer } from '../../src/server.js';
import type { RunningServer } from '../../src/server.js';
import { ApiClient } from './api-client.js';

const POLICY: CommandPolicyDescription = { allow: ['seq', 'sleep', 'cat', 'touch'], deny: ['rm'], ask: ['date'] };

let folder: string;
let server: RunningServer | undefined;
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-policy-')))));
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function optionsWith(policy: unknown, ...argv: string[]) {
  const file = join(folder, 'policy.json');
  writeFileSync(file, typeof policy === 'string' ? policy : JSON.stringify(policy), { mode: 0o600 });
  const flags = [`--data-dir=${folder}`, `--log-file=${join(folder, 'log')}`, '--persistent=false', '--port=0'];
  const env = { TENACITTY_COMMAND_POLICY_FILE: file, TENACITTY_SHELL_PATH: '/bin/sh' };
  return resolveOptions({ argv: [...flags, '--kill-grace-ms=300', ...argv], env, cwd: folder }).options;
}

async function start(policy: unknown = POLICY, ask?: AskForApproval): Promise<ApiClient> {
  server = await startServer(optionsWith(policy), ask);
  return new ApiClient(server.url);
}

describe('a server with a policy', () => {
  it('runs what is allowed, in all ways', async () => {
    const api = await start();
    const id = await api.create();
    const line = await api.post(`/api/terminals/${id}/exec`, { command: 'seq 2 | cat && cd / && CI=1 seq 1' });
    expect(line.body.data).toMatchObject({ output: '1\n2\n1', exitCode: 0 });
    expect((await api.post('/api/run', { command: 'seq', args: ['1'] })).body.data).toMatchObject({ output: '1' });
    expect((await api.post('/api/exec', { command: 'seq 1' })).body.data).toMatchObject({ output: '1' });
  });

  it('refuses what is denied in all ways, explains why, and runs nothing', async () => {
    const api = await start();
    const id = await api.create();
    const canary = join(folder, 'canary');
    writeFileSync(canary, '');
    const rm = { command: 'rm', args: [canary] };
    const calls = [
      await api.post('/api/terminals', rm),
      await api.post('/api/terminals', { shell: 'bash', args: ['-c', `rm ${canary}`] }),
      await api.post('/api/run', rm),
      await api.post(`/api/terminals/${id}/exec`, { command: `true; rm ${canary}` }),
      await api.post('/api/exec', { command: `rm ${canary}` }),
      await api.call('post', `/api/terminals/${id}/exec`, {
        body: { command: `seq 1 && r'm' ${canary}` },
        headers: { Accept: 'text/event-stream' },
      }),
    ];
    for (const { status, body } of calls) {
      expect(status).toBe(403);
      expect(body.error).toMatchObject({ code: 'COMMAND_DENIED', details: { rule: 'deny: rm' } });
      expect(body.error.details).toMatchObject({ command: expect.stringContaining('m'), hint: expect.any(String) });
    }
    expect(existsSync(canary)).toBe(true);
    expect((await api.get(`/api/terminals/${id}/commands`)).body.data.count).toBe(0);
  });

  it('leaves no terminal behind after refusing a command in a new one', async () => {
    const api = await start();
    await api.post('/api/exec', { command: 'rm x' });
    expect((await api.get('/api/terminals')).body.data.count).toBe(0);
  });

  it('checks a terminal created like another one', async () => {
    const api = await start();
    const id = await api.create({ command: 'seq', args: ['1'] });
    await api.ended(id);
    expect((await api.post('/api/terminals', { like: id })).status).toBe(201);
    const other = await api.post('/api/terminals', { like: id, command: 'rm', args: ['x'] });
    expect(other.body.error.code).toBe('COMMAND_DENIED');
    const variable = await api.post('/api/terminals', { like: id, env: { LD_PRELOAD: 'x' } });
    expect(variable.body.error.details.rule).toBe('environment: LD_PRELOAD');
  });

  it('under an allow list, allows only input that stops a program', async () => {
    const api = await start();
    const id = await api.create();
    for (const body of [
      { input: 'rm x' },
      { keys: ['up', 'enter'] },
      { keys: ['enter'] },
      { input: '', enter: true },
      { input: 'r', raw: true },
    ]) {
      const { status, body: answer } = await api.post(`/api/terminals/${id}/input`, body);
      expect([status, answer.error.details.rule]).toEqual([403, 'input: deny']);
    }
    const command = { command: 'cat', timeoutMs: 0 };
    const { commandId } = (await api.post(`/api/terminals/${id}/exec`, command)).body.data;
    expect((await api.post(`/api/terminals/${id}/input`, { keys: ['ctrl-d'] })).status).toBe(200);
    const end = await api.get(`/api/terminals/${id}/commands/${commandId}/result`, { timeoutMs: 20_000 });
    expect(end.body.data).toMatchObject({ completed: true, exitCode: 0 });
    const integrate = await api.post(`/api/terminals/${id}/integrate`, {});
    expect(integrate.body.error.code).toBe('COMMAND_DENIED');
  });

  it('asks the given function for approval', async () => {
    const asked: string[] = [];
    const api = await start(POLICY, (request) =>
      Promise.resolve(asked.push(`${request.door}: ${request.command}`) > 1),
    );
    expect((await api.post('/api/run', { command: 'date' })).status).toBe(403);
    expect((await api.post('/api/run', { command: 'date', args: ['+%Y'] })).status).toBe(201);
    expect(asked).toEqual(['http: date', 'http: date +%Y']);
  });

  it.each([
    ['/api/terminals', { command: 'date' }],
    ['/api/terminals', { shell: 'date' }],
    ['/api/run', { command: 'date' }],
    ['/api/exec', { command: 'date' }],
    ['/api/exec', { command: 'seq 1', terminal: { shell: 'dash' } }],
  ])('starts nothing for a caller that disconnects while a person is asked: %s %j', async (path, body) => {
    const caller = new AbortController();
    let isFirst = true;
    let told!: () => void;
    const left = new Promise<void>((resolve) => (told = resolve));
    const ask: AskForApproval = (_request, signal) => {
      if (!isFirst) return Promise.resolve(true);
      isFirst = false;
      caller.abort();
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => (resolve(true), told()));
      });
    };
    const api = await start({ ...POLICY, ask: ['date', 'dash'] }, ask);
    const headers = { 'content-type': 'application/json' };
    const call = fetch(new URL(path, api.url), {
      ...{ method: 'POST', headers, signal: caller.signal },
      body: JSON.stringify(body),
    });
    await expect(call).rejects.toThrow();
    await left;
    // This request is handled after the aborted one.
    await api.post('/api/run', { command: 'date', args: ['+%Y'] });
    const { terminals } = (await api.get('/api/terminals')).body.data;
    expect(terminals).toMatchObject([{ status: 'exited' }]);
    expect(terminals).toHaveLength(1);
  });

  it('runs nothing in another directory than the approved one', async () => {
    const project = join(folder, 'project');
    mkdirSync(join(project, 'sub'), { recursive: true });
    const cwds: (string | null)[] = [];
    let id = '';
    const api: ApiClient = await start({ allow: ['seq'], ask: ['touch'] }, async ({ cwd }) => {
      cwds.push(cwd);
      if (cwds.length === 1) await api.post(`/api/terminals/${id}/exec`, { command: 'cd sub' });
      return true;
    });
    id = await api.create({ cwd: project });
    const touch = () => api.post(`/api/terminals/${id}/exec`, { command: 'touch made' });
    expect((await touch()).body.error).toMatchObject({ code: 'COMMAND_DENIED', details: { rule: 'directory' } });
    expect(existsSync(join(project, 'sub/made'))).toBe(false);
    expect((await touch()).body.data).toMatchObject({ exitCode: 0 });
    expect(cwds).toEqual([project, join(project, 'sub')]);
  });

  it('lets started programs continue after the caller has disconnected', async () => {
    const caller = new AbortController();
    const api = await start({ ask: ['sleep'] }, () => Promise.resolve(true));
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const body = JSON.stringify({ command: 'sleep', args: ['1000'] });
    const { body: events } = await fetch(new URL('/api/run', api.url), {
      ...{ method: 'POST', headers, body, signal: caller.signal },
    });
    await events!.getReader().read();
    caller.abort();
    await api.post('/api/run', { command: 'true' });
    const { terminals } = (await api.get('/api/terminals')).body.data;
    expect(terminals[0]).toMatchObject({ status: 'active' });
  });

  it('starts programs only in the allowed directories', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    const api = await start({ directories: [project] });
    const { body } = await api.post('/api/exec', { command: 'pwd' });
    expect(body.data).toMatchObject({ output: project });
    const out = await api.post('/api/run', { command: 'pwd', cwd: `${project}/..` });
    expect(out.body.error).toMatchObject({ code: 'INVALID_INPUT', details: { issues: [{ field: 'cwd' }] } });
    const cd = await api.post(`/api/terminals/${body.data.terminalId}/exec`, { command: 'cd .. && pwd' });
    expect(cd.body.error.details.rule).toBe('directories');
  });

  it('does not let a shell leave by the link through which it entered', async () => {
    const project = join(folder, 'project');
    const link = join(folder, 'link');
    mkdirSync(join(project, 'sub/deep'), { recursive: true });
    symlinkSync(join(project, 'sub/deep'), link);
    const api = await start({ directories: [project] });
    const id = await api.create({ cwd: link });
    const exec = (command: string) => api.post(`/api/terminals/${id}/exec`, { command });
    // The shell was started in the resolved directory and does not know the link.
    expect((await exec('cd .. && pwd')).body.data).toMatchObject({ output: join(project, 'sub') });
    expect((await exec(`cd ${link} && pwd`)).body.data).toMatchObject({ output: link });
    expect((await exec('cd .. && pwd')).body.error.details.rule).toBe('directories');
    const out = await api.post('/api/run', { command: 'pwd', cwd: `${link}/../../../sub` });
    expect(out.body.error).toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the time limit of a policy', () => {
  const limited = { timeLimitMs: 1000, notUnderstood: 'allow' };

  it('ends a program with all processes that it started, and reports it', async () => {
    const api = await start(limited);
    const { body } = await api.post('/api/run', {
      command: 'bash',
      args: ['-c', 'trap "" TERM HUP; sleep 1000 & wait; wait'],
    });
    expect(body.data).toMatchObject({ completed: true, signal: 'SIGKILL', timeLimitMs: 1000 });
    expect((await api.get(`/api/terminals/${body.data.terminalId}`)).body.data).toMatchObject({ timeLimitMs: 1000 });
  });

  it('ends a command by Ctrl-C, and if necessary by signals; the shell continues', async () => {
    const api = await start(limited);
    const id = await api.create();
    for (const command of [
      'sleep 1000',
      'bash -c \'trap "" INT; sleep 1000; sleep 1000\'',
      'bash -c \'trap "" INT TERM; while :; do sleep 1000; done\'',
    ]) {
      const { body } = await api.post(`/api/terminals/${id}/exec`, { command });
      expect(body.data).toMatchObject({ completed: true, timeLimitMs: 1000, shellExited: false });
      expect(body.data.exitCode).toBeGreaterThan(128);
    }
    expect((await api.post(`/api/terminals/${id}/exec`, { command: 'echo on' })).body.data).not.toHaveProperty(
      'timeLimitMs',
    );
  }, 30_000);

  it('applies to a command for which no caller waits', async () => {
    const api = await start(limited);
    const id = await api.create();
    const { body } = await api.post(`/api/terminals/${id}/exec`, { command: 'sleep 1000', detach: true });
    const path = `/api/terminals/${id}/commands/${body.data.commandId}/result`;
    expect((await api.get(path, { timeoutMs: 20_000, untilInput: false })).body.data).toMatchObject({
      completed: true,
      timeLimitMs: 1000,
    });
  });
});

describe('an unusable policy', () => {
  it.each([
    ['{', /TENACITTY_COMMAND_POLICY_FILE.*not JSON/],
    [{ alow: ['git'] }, /TENACITTY_COMMAND_POLICY_FILE.*alow: is unknown/],
    [[], /TENACITTY_COMMAND_POLICY_FILE.*expected an object/],
    [{ directories: ['here'] }, /directories\.0: expected a full path, such as \/home\/me\/project, given "here"/],
    [{ allow: [{ program: 'a/b' }] }, /expected a name without a slash, or a full path/],
  ])('prevents the server from starting: %j', (policy, message) => {
    expect(() => optionsWith(policy)).toThrow(message);
  });

  it('is one that others can change, or that does not exist', () => {
    expect(() => optionsWith(POLICY, `--command-policy-file=${folder}/none`)).toThrow(
      /TENACITTY_COMMAND_POLICY_FILE.*ENOENT/,
    );
    const open = join(folder, 'open.json');
    writeFileSync(open, '{}');
    process.getBuiltinModule('node:fs').chmodSync(open, 0o666);
    expect(() => optionsWith(POLICY, `--command-policy-file=${open}`)).toThrow(
      `others can write to ${open} (mode 0666); run: chmod 600 ${open}`,
    );
  });
});
