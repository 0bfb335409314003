/** Tests questions, viewers and overviews of terminals in several hosts, and across hand-offs and losses of hosts. */
import { asked, followQuestions, overviewOf } from '../conformance/asked.js';
import { readUntilText, run } from '../engine/engine-under-test.js';
import { eventually } from '../eventually.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from './host-under-test.js';

afterEach(endHosts);

const ASK = ['-c', 'read -p "Name? " x; echo "got $x"; exec sleep 1000'];
/** As in other tests of hung hosts. */
const IMPATIENT = { pingEveryMs: 50, unresponsiveAfterMs: 2500 };

it('a question stays the same when a host hands over, and can be answered', async () => {
  const places = newPlaces();
  const manager = openManager(places);
  const { id } = await run(manager, 'bash', ...ASK);
  const question = await asked(manager, id);
  const told = await followQuestions(manager, id);
  expect(await manager.upgradeHosts()).toHaveLength(1);
  expect((await overviewOf(manager, id)).waiting).toEqual(question);
  // The viewer is told the state again.
  await eventually(() => told.length > 1);
  expect(told).toEqual([question, question]);
  await manager.answer(id, { waiting: question.id, text: 'Ada' });
  await readUntilText(manager, id, 'got Ada');
});

it('questions are watched on if a hand-off fails', async () => {
  const places = newPlaces();
  const manager = openManager(places);
  const { id } = await run(manager, 'bash', '-c', 'read -p "One? " x; read -p "Two? " y');
  const first = await asked(manager, id);
  const failing = openManager(places, { hostProgram: ['-e', 'process.exit(1)'] });
  await expect(failing.upgradeHosts()).rejects.toMatchObject({ code: 'HOST_FAILED' });
  await manager.answer(id, { waiting: first.id, text: 'a' });
  expect(await asked(manager, id, first.id)).toMatchObject({ prompt: 'Two?' });
});

it('an overview contains the terminals of all hosts that respond, oldest first', async () => {
  const places = newPlaces();
  const manager = openManager(places, { ...IMPATIENT, maxHostTerminals: 1 });
  const one = await run(manager, 'cat');
  const two = await run(manager, 'cat');
  const three = await run(manager, 'cat');
  const idsOf = async () => (await manager.overview()).map(({ id }) => id);
  expect(await idsOf()).toEqual([one.id, two.id, three.id]);
  const [first, second] = hostPids(places);
  process.kill(first!, 'SIGSTOP');
  expect(await idsOf()).toEqual([two.id, three.id]);
  process.kill(first!, 'SIGCONT');
  await murder(second!);
  await eventually(async () => (await manager.overview({ status: 'lost' })).length === 1);
  expect((await manager.overview({ ids: [two.id] }))[0]).toMatchObject({ status: 'lost', waiting: null, ports: [] });
});

it('an overview starts no host', async () => {
  const places = newPlaces();
  expect(await openManager(places).overview()).toEqual([]);
  expect(hostPids(places)).toEqual([]);
});
