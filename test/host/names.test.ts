/** Tests names across several hosts, and with several processes that assign them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyDirectory } from '../../src/host/runtime-directory.js';
import { eventually } from '../eventually.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from './host-under-test.js';

afterEach(endHosts);

const CAT = { command: 'cat' };
const TAKEN = { code: 'NAME_TAKEN' };

it('are handed over to the next host, with their latest values', async () => {
  const manager = openManager(newPlaces());
  const { id } = await manager.create({ ...CAT, name: 'first', labels: { a: '1' } });
  await manager.update(id, { name: 'second', labels: { a: null, b: '2' } });
  await manager.upgradeHosts();
  expect(await manager.get('second')).toMatchObject({ id, name: 'second', labels: { b: '2' } });
  await expect(manager.create({ ...CAT, name: 'second' })).rejects.toMatchObject(TAKEN);
  expect((await manager.update(id, { name: 'third' })).name).toBe('third');
});

it('are on disk, with their latest values: of ended terminals, and of those lost with their host', async () => {
  const places = newPlaces();
  const manager = openManager(places);
  const lost = await manager.create({ ...CAT, name: 'lost' });
  const ended = await manager.create({ command: 'true', name: 'ended' });
  await manager.wait(ended.id, {});
  const record = join(historyDirectory(places.dataDir, 0), ended.id, 'terminal.json');
  await eventually(() => readFileSync(record, 'utf8').includes('"exit":{'));
  await manager.update(ended.id, { name: 'renamed', labels: { seen: 'yes' } });
  await manager.update(lost.id, { name: 'found' });
  await murder(hostPids(places)[0]!);
  expect(await manager.get('found')).toMatchObject({ id: lost.id, status: 'lost' });
  expect(await manager.get('renamed')).toMatchObject({ id: ended.id, status: 'exited', labels: { seen: 'yes' } });
  // A terminal read from disk can be renamed, too, and its name is free.
  await manager.update(ended.id, { name: 'again', labels: { seen: null } });
  const { id } = await manager.create({ ...CAT, name: 'found' });
  expect((await manager.get('found')).id).toBe(id);
  await murder(hostPids(places)[0]!);
  expect(await manager.get('again')).toMatchObject({ id: ended.id, name: 'again', labels: {} });
  expect((await manager.list({ name: 'found' })).map((one) => one.id)).toEqual([lost.id, id]);
});

it('are unique over all hosts and processes', async () => {
  const places = newPlaces();
  const managers = [1, 2].map(() => openManager(places, { maxHostTerminals: 2 }));
  const [one, two] = managers;
  for (let i = 0; i < 3; i++) await one!.create(CAT);
  const { id } = await one!.create({ ...CAT, name: 'web' });
  expect(hostPids(places)).toHaveLength(2);
  for (const manager of managers) {
    await expect(manager.create({ ...CAT, name: 'web' })).rejects.toMatchObject(TAKEN);
    const [other] = await manager.list();
    await expect(manager.update(other!.id, { name: 'web' })).rejects.toMatchObject(TAKEN);
    expect((await manager.get('web')).id).toBe(id);
  }
  expect(await two!.list()).toHaveLength(4);
});

it('are unique even if two processes create terminals at once', async () => {
  const places = newPlaces();
  const managers = [1, 2].map(() => openManager(places));
  await managers[0]!.create(CAT);
  for (let round = 1; round <= 10; round++) {
    const name = `race-${round}`;
    const wishes = [...managers, ...managers].map((manager) => manager.create({ ...CAT, name }));
    const results = await Promise.allSettled(wishes);
    const codes = results.map((result) =>
      result.status === 'rejected' ? (result.reason as { code: string }).code : '',
    );
    expect(codes.sort()).toEqual(['', 'NAME_TAKEN', 'NAME_TAKEN', 'NAME_TAKEN']);
    const { id } = await managers[1]!.get(name);
    await managers[0]!.remove(id, { graceMs: 0 });
  }
});
