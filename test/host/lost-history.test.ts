/**
 * Tests what is reported about the newest lines of a terminal whose host is killed: which of them were final, and which
 * were not.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyDirectory } from '../../src/host/runtime-directory.js';
import { eventually } from '../eventually.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from './host-under-test.js';

afterEach(endHosts);

it('are reported as unfinished from the first line on the screen on, and final if the end was recorded', async () => {
  const places = newPlaces();
  const manager = openManager(places);
  const script = 'seq 100; printf "torn %s" here';
  const options = { rows: 10 };
  const lost = await manager.create({ command: 'sh', args: ['-c', `${script}; exec sleep 1000`], ...options });
  const ended = await manager.create({ command: 'sh', args: ['-c', script], ...options });
  const isSaved = ({ id }: { id: string }, word: string): boolean =>
    readFileSync(join(historyDirectory(places.dataDir, 0), id, 'terminal.json'), 'utf8').includes(word);
  await eventually(() => isSaved(lost, 'torn here') && isSaved(ended, '"exit":{'));
  await murder(hostPids(places)[0]!);
  const [ofLost, ofEnded] = await Promise.all([lost, ended].map(({ id }) => manager.read(id, { mode: 'tail' })));
  expect(ofLost!.output.endsWith('100\ntorn here')).toBe(true);
  expect(ofLost).toMatchObject({ totalLines: 101, mutableFrom: 91, isActive: false });
  expect(ofEnded).toMatchObject({ output: ofLost!.output, totalLines: 101, mutableFrom: 101 });
  await manager.clear(lost.id);
  expect(await manager.read(lost.id)).toMatchObject({ output: '', totalLines: 101, mutableFrom: 101 });
});
