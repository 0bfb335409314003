/** Tests `tenacitty on`: the hooks that it creates, how it lists them, and what it refuses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(async () => {
  for (const { id } of await listed()) await place.stdout('on', '--remove', id);
  await place.clear();
});

interface Hook extends Readonly<Record<string, unknown>> {
  readonly id: string;
}

async function listed(): Promise<Hook[]> {
  return JSON.parse(await place.stdout('on', '--list', '--json')) as Hook[];
}

const URL = 'https://example.com/hook';

it('creates a hook for selected terminals, and prints its id, or all of it', async () => {
  const terminal = await place.open('read line', { name: 'web' });
  const { code, stdout, stderr } = await place.run('on', 'ended', '--id', terminal.slice(0, 8), '--url', URL);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{10}\n$/)]);
  expect(stderr).toMatch(/shown only once: whsec_/);
  const flags = ['--label', 'a=b', '--longer-than', '1m', '--failed', '--pattern', 'x', '--quiet', '5s', '--tail'];
  const made = await place.stdout(
    'on',
    'command',
    'match',
    'quiet',
    '--name',
    'web',
    ...flags,
    '--exec',
    'cat',
    '--json',
  );
  expect(JSON.parse(made)).toMatchObject({ secret: null, exec: 'cat' });
  expect(await listed()).toMatchObject([
    { on: ['ended'], filter: { ids: [terminal] }, url: URL },
    {
      on: ['command', 'match', 'quiet'],
      filter: { names: ['web'], labels: { a: 'b' } },
      ...{ exec: 'cat', longerThanMs: 60_000, failed: true, pattern: 'x', quietMs: 5000, include: 'tail' },
    },
  ]);
});

it('lists hooks with their state as a table', async () => {
  expect((await place.run('on', '--list')).stderr).toContain('no hooks');
  const id = (await place.stdout('on', 'waiting', 'ended', '--url', URL)).trim();
  const table = await place.stdout('on', '--list');
  expect(table).toMatch(/^ID +EVENTS +TO +PENDING +DELIVERED +FAILED/);
  expect(table).toMatch(new RegExp(`${id} +waiting,ended +${URL} +0 +0 +0`));
});

it.each([
  [[], 'EVENT is missing'],
  [['started', '--url', URL], 'started'],
  [['ended'], 'give exactly one of `url` and `exec`'],
  [['ended', '--url', 'ftp://example.com'], 'an http or https URL'],
  [['match', '--url', URL], 'pattern: is needed for the event match'],
  [['match', '--pattern', '(', '--url', URL], 'pattern: '],
  [['match', '--pattern', 'a*', '--url', URL], 'pattern: matches the empty string'],
  [['ended', '--failed', '--url', URL], 'failed: has no effect without the event command'],
  [['ended', '--list'], 'ended'],
  [['--remove', '0123456789'], 'There is no hook 0123456789'],
])('refuses %j', async (args, words) => {
  const { code, stderr } = await place.run('on', ...args);
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining(words)]);
});

it('asks the policy that the settings name', async () => {
  const policy = join(place.directory, 'policy.json');
  writeFileSync(policy, JSON.stringify({ deny: ['rm'] }), { mode: 0o600 });
  const env = { TENACITTY_COMMAND_POLICY_FILE: policy };
  const { code, stderr } = await place.start(['on', 'ended', '--exec', 'rm x'], { env }).ended();
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining('rm')]);
});
