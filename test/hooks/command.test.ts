/** Tests the commands of hooks: what they get, who may create them, and their limits. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../src/access/key-file.js';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import type { HookEvent } from '../../src/contract/hooks.js';
import { MAX_COMMANDS } from '../../src/hooks/command.js';
import { readProcess } from '../../src/processes/process-table.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers } from '../http/server-under-test.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tenacitty-hook-'))));
afterEach(async () => {
  await stopServers();
  delete process.env['TENACITTY_SECRET'];
  rmSync(folder, { recursive: true, force: true });
});

async function serve(more: object = {}) {
  const server = await startServer({ hooks: more });
  const hook = (request: object) => server.api.post('/api/hooks', { on: ['ended'], ...request });
  const state = async () => (await server.api.get('/api/hooks')).body.data.hooks[0].state;
  return { ...server, hook, state };
}

const file = (name: string) => join(folder, name);
const isRunning = (pid: number) => readProcess(pid)?.isGone === false;

it('gets the event as JSON on its stdin, and the environment of a terminal without settings', async () => {
  process.env['TENACITTY_SECRET'] = 'secret';
  const server = await serve({ placeEnv: { TENACITTY_DATA_DIR: '/data' } });
  const { body } = await server.hook({
    exec: `cat >${file('event')}; env >${file('env')}; mv ${file('env')} ${file('done')}`,
  });
  expect(body.data).toMatchObject({ secret: null, exec: expect.stringContaining('cat') });
  const id = await server.api.run('exit 3');
  await eventually(async () => (await server.state()).delivered === 1);
  const event = JSON.parse(readFileSync(file('event'), 'utf8')) as HookEvent;
  expect(event).toMatchObject({ id: `${body.data.id}-${id}-ended`, type: 'ended', data: { exitCode: 3 } });
  const env = readFileSync(file('done'), 'utf8');
  expect(env).toContain('TENACITTY_DATA_DIR=/data');
  expect(env).not.toContain('secret');
});

it('is not repeated after a failure', async () => {
  const server = await serve();
  await server.hook({ exec: `echo x >>${file('runs')}; exit 7` });
  await server.api.run('exit 0');
  await eventually(async () => (await server.state()).failed === 1);
  expect((await server.state()).lastError.message).toBe('the command ended with 7');
  expect(readFileSync(file('runs'), 'utf8')).toBe('x\n');
});

it('runs at most four times at once, whatever the hooks', async () => {
  const server = await serve();
  const go = file('go');
  const exec = `touch ${folder}/began-$$; while [ ! -e ${go} ]; do sleep 0.01; done; rm ${folder}/began-$$`;
  for (let hooks = 0; hooks < 2; hooks++) await server.hook({ exec });
  const began = () => readdirSync(folder).filter((name) => name.startsWith('began')).length;
  for (let terminals = 0; terminals < MAX_COMMANDS; terminals++) await server.api.run('exit 0');
  await eventually(() => began() === MAX_COMMANDS);
  const pending = () => server.hooks.list().reduce((sum, { state }) => sum + state.pending, 0);
  await eventually(() => pending() === 2 * MAX_COMMANDS);
  expect(began()).toBe(MAX_COMMANDS);
  await server.api.run(`touch ${go}`);
  await eventually(async () => (await server.state()).delivered >= MAX_COMMANDS);
});

it('is ended with all that it started after the time limit', async () => {
  const server = await serve({ timeoutMs: 300 });
  await server.hook({ exec: `setsid sh -c 'echo $$ >${file('pid')}; exec sleep 1000' & sleep 1000` });
  await server.api.run('exit 0');
  await eventually(async () => (await server.state()).failed === 1);
  expect((await server.state()).lastError.message).toContain('longer than');
  await eventually(() => !isRunning(Number(readFileSync(file('pid'), 'utf8'))));
});

it('leaves nothing behind when it ends', async () => {
  const server = await serve();
  await server.hook({ exec: `sleep 1000 & echo $! >${file('pid')}` });
  await server.api.run('exit 0');
  await eventually(async () => (await server.state()).delivered === 1);
  await eventually(() => !isRunning(Number(readFileSync(file('pid'), 'utf8'))));
});

it('is refused to a caller with a key', async () => {
  const server = await serve();
  const { key } = createKey(server.dataDir, 'other');
  const call = { body: { on: ['ended'], exec: 'true' }, headers: { 'X-API-Key': key } };
  const { status, body } = await server.api.call('post', '/api/hooks', call);
  expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
});

it('is judged by the policy when it is created, and before each run', async () => {
  const decisions = { deny: ['rm'] as string[] };
  const policies = [createCommandPolicy(decisions), createCommandPolicy({ deny: ['touch'] })];
  let isStrict = false;
  const policy = {
    allowsInput: true,
    startDirectory: (usual: string) => usual,
    permit: (request: Parameters<(typeof policies)[0]['permit']>[0]) => policies[Number(isStrict)]!.permit(request),
  };
  const server = await serve({ policy });
  const denied = await server.hook({ exec: `true; rm ${file('x')}` });
  expect([denied.status, denied.body.error.code]).toEqual([403, 'COMMAND_DENIED']);
  await server.hook({ exec: `touch ${file('touched')}` });
  isStrict = true;
  await server.api.run('exit 0');
  await eventually(async () => (await server.state()).failed === 1);
  expect((await server.state()).lastError.message).toContain('touch');
  expect(existsSync(file('touched'))).toBe(false);
});
