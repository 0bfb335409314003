/**
 * Tests a stopped host (SIGSTOP): it is reported soon and by name, other hosts answer as before, and everything
 * continues afterwards.
 */
import { readUntil } from '../engine/engine-under-test.js';
import { endHosts, hostPids, newPlaces, openManager } from '../host/host-under-test.js';
import { underLoad } from './load.js';
import { FAULT_TIMEOUT_MS, repeatedly } from './runs.js';
import { descriptorsAtRest, expectDescriptors } from './process-state.js';
import { eventually } from '../eventually.js';

/** Not so short that a host on a busy machine would count as unresponsive. */
const IMPATIENT = { pingEveryMs: 50, unresponsiveAfterMs: 2500, maxHostTerminals: 1 };
const CAT = { command: 'cat' };

underLoad();
afterEach(() => endHosts());

it(
  'is named while it hangs; others are answered for, and it continues afterwards',
  async () => {
    const places = newPlaces();
    const manager = openManager(places, IMPATIENT);
    const frozen = await manager.create(CAT);
    const [host] = hostPids(places);
    const well = await manager.create(CAT);
    expect(hostPids(places)).toHaveLength(2);
    const before = await descriptorsAtRest(host!);
    await repeatedly(async (run) => {
      process.kill(host!, 'SIGSTOP');
      const typed = manager.write(frozen.id, { input: `lost or not ${run}` });
      await expect(typed).rejects.toMatchObject({ code: 'HOST_UNRESPONSIVE', details: { pid: host } });
      await expect(manager.read(frozen.id)).rejects.toMatchObject({ code: 'HOST_UNRESPONSIVE' });
      const { problems, activeTerminals } = await manager.summary();
      expect(problems).toEqual([expect.stringContaining(`host 0 (pid ${host})`)]);
      expect(activeTerminals).toBe(run === 0 ? 1 : 2);
      expect(await manager.list()).toMatchObject([{ id: frozen.id }, { id: well.id }]);
      await manager.write(well.id, { input: `well ${run}` });
      await readUntil(manager, well.id, (text) => text.includes(`well ${run}`));
      process.kill(host!, 'SIGCONT');
      await readUntilItAnswers();
      expect(await manager.summary()).toMatchObject({ activeTerminals: 2, problems: [] });
      await manager.write(frozen.id, { input: `again ${run}` });
      await readUntil(manager, frozen.id, (text) => text.includes(`again ${run}`));
    });
    // Text typed before the stop was noticed arrives once: the host was only late.
    const { output } = await manager.read(frozen.id);
    expect(output.match(/^lost or not 0$/gm)).toHaveLength(2);
    await expectDescriptors(host!, before);

    /** Reads through another client, which waits as long as needed. */
    async function readUntilItAnswers(): Promise<void> {
      const patient = openManager(places);
      await patient.get(frozen.id);
      await patient.close();
      await eventually(async () => (await manager.summary()).problems.length === 0);
    }
  },
  FAULT_TIMEOUT_MS,
);
