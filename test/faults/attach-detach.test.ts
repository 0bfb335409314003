/**
 * Tests that attaching and detaching, fifty clients in a row and repeatedly, leaves the host with as many descriptors
 * and as little memory as before.
 */
import { endHosts, hostPids, newPlaces, openManager } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { Place } from '../cli/place.js';
import { descriptorsAtRest, expectDescriptors, memoryOf, openDescriptorsOf } from './process-state.js';
import { underLoad } from './load.js';
import { runs } from '../deep.js';
import { FAULT_RUNS, FAULT_TIMEOUT_MS, repeatedly } from './runs.js';
import { eventually } from '../eventually.js';

const VISITS = runs({ normal: 20, deep: 50 });
/** Allowance for garbage not collected yet. A leaked screen per client would exceed it. */
const MAX_GROWTH_BYTES = 48 << 20;

underLoad();
afterEach(() => endHosts());

async function visit(places: Places, id: string): Promise<void> {
  const manager = openManager(places);
  const { offset, data } = await manager.snapshot(id);
  expect(data).toContain('ready');
  const events = await manager.subscribe(id, offset);
  expect((await manager.get(id)).viewers).toBe(1);
  events.close();
  await manager.close();
}

it(
  `is unchanged after ${VISITS} attachments in a row`,
  async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const { id } = await manager.create({ command: 'sh', args: ['-c', 'seq 1 1000; echo ready; exec cat'] });
    await eventually(async () => (await manager.read(id, { mode: 'tail' })).output.includes('ready'));
    const [host] = hostPids(places);
    const before = await descriptorsAtRest(host!);
    const memory: number[] = [];
    await repeatedly(async () => {
      for (let count = 0; count < VISITS; count++) await visit(places, id);
      await eventually(
        async () => (await manager.get(id)).viewers === 0 && openDescriptorsOf(host!).length <= before.length,
      );
      memory.push(memoryOf(host!));
    });
    await expectDescriptors(host!, before);
    // Ignores the first runs, in which the host's code is compiled.
    const settled = memory.slice(Math.floor(memory.length / 4));
    expect(settled.at(-1)! - settled[0]!).toBeLessThan(MAX_GROWTH_BYTES);
  },
  FAULT_TIMEOUT_MS,
);

describe('tenacitty attach', () => {
  let place: Place;
  beforeEach(async () => (place = await new Place().ready()));
  afterEach(() => place.close());

  it(
    `leaves a host unchanged, ${FAULT_RUNS} times in a row`,
    async () => {
      const id = await place.open('exec cat');
      const [host] = hostPids(placesOf(place));
      const before = await descriptorsAtRest(host!);
      await repeatedly(async () => {
        const person = place.inTerminal(['attach', id]);
        await person.until(/ready/);
        person.type('\x1c');
        expect(await person.exited).toMatchObject({ exitCode: 0 });
      });
      await eventually(async () => (await place.manager.get(id)).viewers === 0);
      await expectDescriptors(host!, before);
    },
    FAULT_TIMEOUT_MS,
  );
});

function placesOf({ directory, env }: Place): Places {
  return { root: directory, dataDir: env['TENACITTY_DATA_DIR']!, runtimeDir: env['TENACITTY_RUNTIME_DIR']! };
}
