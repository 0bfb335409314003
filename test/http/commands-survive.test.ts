/**
 * Tests a server that is killed while commands run and callers wait: the commands continue, and the next server knows
 * them.
 */
import { join } from 'node:path';
import { Place } from '../cli/place.js';
import type { RunningCommand } from '../cli/place.js';
import { ApiClient } from './api-client.js';
import { EventClient, outputOf } from './event-client.js';
import { runs } from '../deep.js';
import { eventually } from '../eventually.js';

/** Limits only a failing test. */
const LONG_MS = 100_000;
const ROUNDS = runs({ normal: 2, deep: 5 });

let place: Place;
beforeEach(async () => void (place = await new Place().ready()));
afterEach(() => place.close());

async function startServer(): Promise<{ process: RunningCommand; api: ApiClient }> {
  const process = place.start(['serve'], {
    env: { TENACITTY_LOG_LEVEL: 'error', TENACITTY_RATE_LIMIT: '0' },
    stdin: null,
  });
  await process.says(/is at http:\S+/, 'stderr');
  return { process, api: new ApiClient(/is at (http:\S+)/.exec(process.stderr)![1]!) };
}

const until = (marker: string) => `until [ -e '${join(place.directory, marker)}' ]; do sleep 0.05; done`;

it('finds commands, their output and their shell again, however often the server is killed', async () => {
  let { process: server, api } = await startServer();
  const id = await api.create({ shell: 'bash' });
  for (let round = 1; round <= ROUNDS; round++) {
    const command = `echo begun ${round}; ROUND=${round}; ${until(`go-${round}`)}; echo gone on; (exit ${round})`;
    const stream = await EventClient.open(api.url, `/api/terminals/${id}/exec`, { command, timeoutMs: LONG_MS });
    await stream.until(`begun ${round}`);
    const query = { timeoutMs: LONG_MS };
    const waiting = api.get(`/api/terminals/${id}/commands/${2 * round - 1}/result`, query).catch(() => 'broken off');
    const ended = server.ended();
    server.child.kill('SIGKILL');
    await ended;
    await expect(stream.rest()).rejects.toThrow();
    expect(await waiting).toBe('broken off');

    ({ process: server, api } = await startServer());
    const running = (await api.get(`/api/terminals/${id}/commands/${2 * round - 1}`)).body.data;
    expect(running).toMatchObject({ state: 'running', text: command, exitCode: null });
    const again = await EventClient.open(
      api.url,
      `/api/terminals/${id}/commands/${2 * round - 1}/result?timeoutMs=${LONG_MS}`,
    );
    await place.stdout('run', '--', 'touch', join(place.directory, `go-${round}`));
    const events = await again.rest();
    expect(outputOf(events)).toBe(`begun ${round}\ngone on`);
    expect(events.at(-1)!.data).toMatchObject({ completed: true, exitCode: round, via: 'marker' });
    const { data } = (await api.post(`/api/terminals/${id}/exec`, { command: 'echo "in round $ROUND"' })).body;
    expect(data).toMatchObject({ output: `in round ${round}`, exitCode: 0, commandId: 2 * round });
  }
  const { commands } = (await api.get(`/api/terminals/${id}/commands`)).body.data;
  expect(commands).toHaveLength(2 * ROUNDS);
  for (let round = 1; round <= ROUNDS; round++) {
    const { data } = (await api.get(`/api/terminals/${id}/commands/${2 * round - 1}/output`)).body;
    expect(data).toMatchObject({ output: `begun ${round}\ngone on`, exitCode: round });
  }
});

it('keeps nothing for callers that have disconnected from a command in a host', async () => {
  const { api } = await startServer();
  const id = await api.create({ shell: 'bash' });
  const open = () => EventClient.open(api.url, `/api/terminals/${id}/commands/1/result?timeoutMs=${LONG_MS}`);
  const { data } = (await api.post(`/api/terminals/${id}/exec`, { command: until('go'), detach: true })).body;
  for (let round = 0; round < ROUNDS; round++) {
    const clients = await Promise.all([open(), open(), open()]);
    await Promise.all(clients.map((client) => client.next()));
    for (const client of clients) client.leave();
  }
  await eventually(async () => (await api.get('/metrics')).text.includes('\ntenacitty_waiting_reads 0\n'));
  await place.stdout('run', '--', 'touch', join(place.directory, 'go'));
  const query = { timeoutMs: LONG_MS };
  const result = (await api.get(`/api/terminals/${id}/commands/${data.commandId}/result`, query)).body.data;
  expect(result).toMatchObject({ completed: true, exitCode: 0 });
});

it('knows the commands of a terminal that has ended', async () => {
  const { process: server, api } = await startServer();
  const { terminalId: id } = (await api.post('/api/exec', { command: 'echo kept; false', terminal: { shell: 'bash' } }))
    .body.data;
  const ended = server.ended();
  server.child.kill('SIGKILL');
  await ended;
  const { api: next } = await startServer();
  const { commands } = (await next.get(`/api/terminals/${id}/commands`)).body.data;
  expect(commands).toMatchObject([{ commandId: 1, text: 'echo kept; false', exitCode: 1, state: 'completed' }]);
  expect((await next.get(`/api/terminals/${id}/commands/1/output`)).body.data.output).toBe('kept');
  const { status, body } = await next.post(`/api/terminals/${id}/exec`, { command: 'ls' });
  expect([status, body.error.code]).toEqual([409, 'TERMINAL_INACTIVE']);
});
