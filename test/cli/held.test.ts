/**
 * Tests that a terminal that a live connection holds is refused to every other caller, through each interface, and can
 * still be read and ended. Every caller is a process of its own.
 */
import { AGENT } from '../acp/scripted.js';
import { ApiClient } from '../http/api-client.js';
import { LiveClient } from '../http/live-client.js';
import { Agent } from '../mcp/client.js';
import { sharedPlace, type Place } from './place.js';

let place: Place;
let api: ApiClient;
const callers: { close(): unknown }[] = [];
beforeEach(async () => {
  place = await sharedPlace();
  api = await startServer();
});
afterEach(async () => {
  await Promise.all(callers.splice(0).map((caller) => caller.close()));
  await place.clear();
});

async function startServer(): Promise<ApiClient> {
  const settings = { TENACITTY_LOG_LEVEL: 'error', TENACITTY_RATE_LIMIT: '0' };
  const server = place.start(['serve'], { env: settings, stdin: null });
  await server.says(/is at http:\S+/, 'stderr');
  return new ApiClient(/is at (http:\S+)/.exec(server.stderr)![1]!);
}

/** Holds a terminal from now on. */
async function hold(id: string): Promise<LiveClient> {
  const live = await LiveClient.open(api.url, id, { query: 'name=Ada' });
  callers.push({ close: () => live.socket.terminate() });
  live.send({ type: 'control', action: 'take' });
  expect(await live.get('control')).toMatchObject({ holder: { name: 'Ada' } });
  return live;
}

const REFUSED = /Ada has held this terminal since/;

it('is refused over REST', async () => {
  const id = await place.create({ shell: '/bin/bash' });
  await hold(id);
  for (const [path, body] of [
    ['input', { input: 'echo typed' }],
    ['exec', { command: 'echo typed' }],
    ['integrate', {}],
  ] as const)
    expect((await api.post(`/api/terminals/${id}/${path}`, body)).body.error).toMatchObject({
      code: 'TERMINAL_HELD',
      message: expect.stringMatching(REFUSED),
    });
  expect((await api.put(`/api/terminals/${id}/size`, { cols: 90, rows: 30 })).body.error.code).toBe('TERMINAL_HELD');
  expect(await place.manager.get(id)).toMatchObject({ inputCount: 0, cols: 80 });
  expect((await api.delete(`/api/terminals/${id}`)).status).toBe(200);
});

it('is refused to commands, except those that read, interrupt and end', async () => {
  const id = await place.open('exec cat');
  await hold(id);
  const calls = [['send', 'typed'], ['keys', 'enter'], ['resize', '90x30'], ['exec', 'echo typed'], ['integrate']];
  const answers = await Promise.all(calls.map(([name, ...words]) => place.run(name!, id, ...words)));
  expect(answers).toEqual(calls.map(() => ({ code: 1, stdout: '', stderr: expect.stringMatching(REFUSED) })));
  expect(await place.manager.get(id)).toMatchObject({ inputCount: 0, cols: 80 });
  expect(await place.stdout('logs', id)).toBe('ready\n');
  await place.stdout('kill', id);
  expect(await place.manager.get(id)).toMatchObject({ status: 'exited' });
});

it('is refused to an agent over MCP, with advice', async () => {
  const agent = await Agent.start(place);
  callers.push(agent);
  await agent.call({ command: 'echo before' });
  const [{ id } = { id: '' }] = await place.manager.list();
  const live = await hold(id);
  for (const call of [
    { command: 'true' },
    { action: 'INPUT', text: 'typed' },
    { action: 'RESIZE', cols: 90, rows: 30 },
  ])
    expect(await agent.call({ terminal: 0, ...call })).toMatchObject({
      isError: true,
      meta: { error: 'TERMINAL_HELD' },
      text: expect.stringMatching(/Ada has held[^]*Wait until it is handed back/),
    });
  expect((await agent.call({ action: 'READ', terminal: 0, from_line: 0 })).text).toContain('before');
  live.send({ type: 'control', action: 'release' });
  await live.get('control', 1);
  expect(await agent.call({ command: 'echo after', terminal: 0 })).toMatchObject({ text: 'after', isError: false });
});

it('is left to its holder although an agent of ACP started it: that protocol types nothing', async () => {
  const run = { run: { command: 'echo begun; read answer; echo "so be it: $answer"; exit 3' } };
  const talk = place.start(['acp', 'run', '--prompt', JSON.stringify([run]), '--', ...AGENT]);
  await talk.says(/│ begun/);
  const [{ id } = { id: '' }] = await place.manager.list();
  const live = await hold(id);
  expect((await api.post(`/api/terminals/${id}/input`, { input: 'refused' })).status).toBe(409);
  live.send({ type: 'input', seq: 1, text: 'yes\r' });
  const { code, stdout } = await talk.ended();
  expect(code).toBe(0);
  expect(stdout).toMatch(/│ so be it: yes\n[^]*exit code 3/);
});
