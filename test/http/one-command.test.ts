/**
 * Tests that a terminal for one command ends with it, whether or not a client is connected: with real servers and
 * hosts.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { sharedPlace } from '../cli/place.js';
import type { RunningCommand, Place } from '../cli/place.js';
import { ApiClient } from './api-client.js';

let place: Place;
beforeAll(async () => void (place = await sharedPlace()));
afterEach(() => place.clear());

async function startServer(
  env: Readonly<Record<string, string>> = {},
): Promise<{ process: RunningCommand; api: ApiClient }> {
  const process = place.start(['serve'], {
    env: { TENACITTY_LOG_LEVEL: 'error', TENACITTY_RATE_LIMIT: '0', ...env },
    stdin: null,
  });
  await process.says(/is at http:\S+/, 'stderr');
  return { process, api: new ApiClient(/is at (http:\S+)/.exec(process.stderr)![1]!) };
}

async function kill(server: RunningCommand): Promise<void> {
  const ended = server.ended();
  server.child.kill('SIGKILL');
  await ended;
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const detailOf = async (api: ApiClient, id: string) => (await api.get(`/api/terminals/${id}`)).body.data;
const until = (marker: string) => `until [ -e '${join(place.directory, marker)}' ]; do sleep 0.05; done`;

it('ends with everything that the command left running, and can be read', async () => {
  const { api } = await startServer();
  const command = 'nohup sleep 1000 >/dev/null 2>&1 & echo $!; (exit 3)';
  const { data } = (await api.post('/api/exec', { command, terminal: { shell: 'bash' } })).body;
  expect(data).toMatchObject({ exitCode: 3, completed: true, shellExited: false });
  await eventually(() => !isThere(Number(data.output)));
  const { terminalId: id } = data;
  expect(await detailOf(api, id)).toMatchObject({ status: 'exited', endedBy: { reason: 'command' } });
  expect((await api.get(`/api/terminals/${id}/commands/1`)).body.data).toMatchObject({ exitCode: 3, via: 'marker' });
  expect((await api.get(`/api/terminals/${id}/commands/1/output`)).body.data.output).toBe(data.output);
  await api.delete(`/api/terminals/${id}`);
});

it('makes room for the next, however low the limit is', async () => {
  const { api } = await startServer({ TENACITTY_MAX_TERMINALS: '1' });
  for (let n = 0; n < 4; n++) {
    const { status, body } = await api.post('/api/exec', { command: `echo ${n}` });
    expect([status, body.data.output]).toEqual([201, String(n)]);
    await api.delete(`/api/terminals/${body.data.terminalId}`);
  }
});

it('ends after its command if no caller waits any more because the server was killed', async () => {
  const { process: server, api } = await startServer();
  const command = `echo begun; ${until('go')}; echo gone on; exit 9`;
  const begun = (await api.post('/api/exec', { command, detach: true, terminal: { shell: 'bash' } })).body.data;
  const question = { command: 'read -r name; (exit 4)', terminal: { shell: 'bash' } };
  const asked = (await api.post('/api/exec', question)).body.data;
  expect([begun.state, asked.state]).toEqual(['running', 'waiting']);
  await kill(server);
  await place.stdout('run', '--', 'touch', join(place.directory, 'go'));
  await place.run('send', asked.terminalId, 'Ada');
  const { api: next } = await startServer();
  for (const [{ terminalId: id }, exitCode] of [[begun, 9], [asked, 4]] as const) {
    await eventually(async () => (await detailOf(next, id)).status === 'exited');
    expect((await next.get(`/api/terminals/${id}/commands/1`)).body.data).toMatchObject({ exitCode, state: 'completed' });
    await next.delete(`/api/terminals/${id}`);
  }
}); // prettier-ignore

it('is kept on request', async () => {
  const { api } = await startServer();
  const { data } = (await api.post('/api/exec', { command: 'A=b', keep: true, terminal: { shell: 'bash' } })).body;
  const again = await api.post(`/api/terminals/${data.terminalId}/exec`, { command: 'echo $A' });
  expect(again.body.data.output).toBe('b');
  await api.delete(`/api/terminals/${data.terminalId}`);
});

it('ends an unused shell like any other, so that its programs can clean up', async () => {
  const { api } = await startServer();
  const home = place.directory;
  const rc = `trap 'echo tidied > ${home}/tidied; exit' HUP TERM; echo begun > ${home}/begun; while :; do sleep 0.05; done`;
  writeFileSync(join(home, '.bashrc'), rc);
  const terminal = { shell: 'bash', env: { HOME: home } };
  const waiting = api.post('/api/exec', { command: 'echo never', timeoutMs: 2000, terminal });
  await eventually(() => existsSync(join(home, 'begun')));
  expect((await waiting).body.error.code).toBe('TERMINAL_BUSY');
  await eventually(() => existsSync(join(home, 'tidied')));
  rmSync(join(home, '.bashrc'));
});
