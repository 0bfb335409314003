/**
 * Tests that commands of an agent in `tenacitty acp run` are terminals of the server, too: found, read, and typed into
 * over REST.
 */
import { sharedPlace } from '../cli/place.js';
import type { RunningCommand, Place } from '../cli/place.js';
import { ApiClient } from '../http/api-client.js';
import { AGENT } from './scripted.js';

let place: Place;
beforeEach(async () => void (place = await sharedPlace()));
afterEach(() => place.clear());

async function startServer(): Promise<ApiClient> {
  const server = place.start(['serve'], {
    env: { TENACITTY_LOG_LEVEL: 'error', TENACITTY_RATE_LIMIT: '0' },
    stdin: null,
  });
  await server.says(/is at http:\S+/, 'stderr');
  return new ApiClient(/is at (http:\S+)/.exec(server.stderr)![1]!);
}

/** Starts an agent that runs a command which waits for a person. */
async function startAgent(): Promise<RunningCommand> {
  const command = 'echo begun; read answer; echo "so be it: $answer"; exit 3';
  const talk = place.start(['acp', 'run', '--prompt', JSON.stringify([{ run: { command } }]), '--', ...AGENT]);
  await talk.says(/│ begun/);
  return talk;
}

it.each(['before', 'after'])('with a server that was started %s a policy', async (order) => {
  const early = order === 'before' ? await startServer() : null;
  const talk = await startAgent();
  const api = early ?? (await startServer());
  const { terminals } = (await api.get('/api/terminals', { label: 'door=acp' })).body.data;
  expect(terminals).toHaveLength(1);
  const [{ id }] = terminals as [{ readonly id: string }];
  expect(await place.stdout('ls', '--label', 'door=acp')).toContain(id.slice(0, 8));
  expect(JSON.parse(await place.stdout('ls', '--json', '--label', 'door=acp'))).toMatchObject([{ id }]);
  const detail = (await api.get(`/api/terminals/${id}`)).body.data;
  expect(detail).toMatchObject({ status: 'active', labels: { door: 'acp', agent: AGENT[0] } });
  const page = (await api.get(`/api/terminals/${id}/output`)).body.data;
  expect(page).toMatchObject({ output: expect.stringContaining('begun'), isActive: true });
  await api.post(`/api/terminals/${id}/input`, { input: 'yes' });
  const { code, stdout } = await talk.ended();
  expect(code).toBe(0);
  expect(stdout).toMatch(/│ so be it: yes\n[^]*exit code 3/);
  expect((await api.get(`/api/terminals/${id}`)).status).toBe(404);
});
