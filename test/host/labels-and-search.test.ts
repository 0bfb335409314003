/** Tests labels and searching across hosts: handed over, and stored on disk. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyDirectory } from '../../src/host/runtime-directory.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from './host-under-test.js';
import { eventually } from '../eventually.js';

afterEach(() => endHosts());

const CAT = { command: 'cat' };
const labels = { project: 'web', number: '0' };

it('are handed over to the next host', async () => {
  const manager = openManager(newPlaces());
  const { id } = await manager.create({ ...CAT, labels });
  await manager.upgradeHosts();
  expect((await manager.list({ labels })).map((one) => one.id)).toEqual([id]);
  expect((await manager.get(id)).labels).toEqual(labels);
});

it.each([1, 2, 3, 4, 5])('a search interrupted by a hand-off succeeds nevertheless (%i)', async () => {
  const manager = openManager(newPlaces());
  const { id } = await manager.create({ command: 'seq', args: ['1', '200000'], labels });
  await manager.wait(id, { timeoutMs: 60_000 });
  const searching = Promise.all([0, 1, 2].map(() => manager.search(id, { regex: '^199999$' })));
  await manager.upgradeHosts();
  for (const { matches } of await searching) expect(matches).toMatchObject([{ line: 199_998, text: '199999' }]);
});

it('are on disk: ended terminals and those lost with their host are found by them', async () => {
  const places = newPlaces();
  const manager = openManager(places);
  const lost = await manager.create({ ...CAT, labels });
  const other = await manager.create({ ...CAT, labels: { project: 'other' } });
  const ended = await manager.create({ command: 'true', labels });
  await manager.wait(ended.id, {});
  const record = join(historyDirectory(places.dataDir, 0), ended.id, 'terminal.json');
  await eventually(() => readFileSync(record, 'utf8').includes('"exit":{'));
  await murder(hostPids(places)[0]!);
  const found = await manager.list({ labels });
  expect(found.map(({ id, status }) => [id, status])).toEqual([
    [lost.id, 'lost'],
    [ended.id, 'exited'],
  ]);
  expect((await manager.get(lost.id)).labels).toEqual(labels);
  expect((await manager.list({ labels: { project: 'other' } })).map(({ id }) => id)).toEqual([other.id]);
});
