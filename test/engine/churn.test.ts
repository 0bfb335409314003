/** Tests that after many terminals, repeatedly created and removed, all resources return to where they were. */
import { readdirSync, readFileSync } from 'node:fs';
import { runs } from '../deep.js';
import { readUntilText, startEngine, stopEngines } from './engine-under-test.js';
import { retainedBytes, retainedOnceBelow } from './memory.js';

const TERMINALS = runs({ normal: 40, deep: 200 });
const MANY = runs({ normal: 150, deep: 500 });
const ROUNDS = runs({ normal: 6, deep: 10 });
/** Modules are loaded and compiled during these rounds. */
const WARM_UP_ROUNDS = 3;
/** A leaked terminal takes some 300 kB, so that even one per round would show. */
const MAX_GROWTH_BYTES = 2 << 20;

afterEach(stopEngines);

const descriptors = (): number => readdirSync('/proc/self/fd').length;

function children(): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')')).split(' ')[2] === String(process.pid);
    } catch {
      return false; // It ended meanwhile.
    }
  });
}

describe(`${TERMINALS} terminals at once`, () => {
  it('are created, used and killed repeatedly and leave no process, descriptor or memory behind', async () => {
    const manager = startEngine();
    const before = children();
    let warm = { heap: 0, descriptors: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const made = await Promise.all(
        Array.from({ length: TERMINALS }, () => manager.create({ shell: '/bin/sh', env: { PS1: '$ ' } })),
      );
      await Promise.all(
        made.map(async ({ id }, i) => {
          await manager.write(id, { input: `sleep 1000 & echo terminal-$((${i} + 0))-here` });
          await readUntilText(manager, id, `terminal-${i}-here`);
        }),
      );
      expect((await manager.summary()).activeTerminals).toBe(TERMINALS);
      await Promise.all(made.map(({ id }) => manager.remove(id)));
      expect(await manager.list()).toEqual([]);
      expect(children().filter((pid) => !before.includes(pid))).toEqual([]);
      if (round === WARM_UP_ROUNDS) warm = { heap: retainedBytes(), descriptors: descriptors() };
    }
    expect(descriptors()).toBeLessThanOrEqual(warm.descriptors);
    const most = warm.heap + MAX_GROWTH_BYTES;
    expect(await retainedOnceBelow(most)).toBeLessThan(most);
  }, 300_000);

  it(`can be ${MANY}`, async () => {
    const manager = startEngine({ maxWaitingReads: MANY });
    const made = await Promise.all(
      Array.from({ length: MANY }, () => manager.create({ shell: '/bin/sh', env: { PS1: '$ ' } })),
    );
    await Promise.all(
      made.map(async ({ id }, i) => {
        await manager.write(id, { input: `echo terminal-$((${i} + 0))-here` });
        await readUntilText(manager, id, `terminal-${i}-here`);
      }),
    );
    expect((await manager.summary()).activeTerminals).toBe(MANY);
    await manager.shutdown();
    expect((await manager.summary()).activeTerminals).toBe(0);
  }, 120_000);
});
